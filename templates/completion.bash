# Completion of rdmastate for bash: the program itself tells which words fit.
_rdmastate() {
  local IFS=$'\n' word doc cur=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS=$'\t' read -r word doc; do
    case $word in
      :files) COMPREPLY+=($(compgen -f -- "$cur")) ;;
      :directories) COMPREPLY+=($(compgen -d -- "$cur")) ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o filenames -F _rdmastate rdmastate
