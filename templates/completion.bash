# Completion of rdmastate for bash: the program itself tells which words fit.
_rdmastate() {
  local cur=${COMP_WORDS[COMP_CWORD]} fit
  fit=$("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  mapfile -t COMPREPLY < <(grep '^[^:]' <<<"$fit"
    [[ $fit != *:files* ]] || compgen -f -- "$cur"
    [[ $fit != *:directories* ]] || compgen -d -- "$cur")
}
complete -o filenames -F _rdmastate rdmastate
