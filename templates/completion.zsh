#compdef rdmastate
# Completion of rdmastate for zsh: the program itself tells which words fit.
_rdmastate() {
  local line
  local -a fit
  for line in ${(f)"$($words[1] complete "${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
    case $line in
      :files) _files ;;
      :directories) _files -/ ;;
      *) fit+=("${${line//:/\\:}/$'\t'/:}") ;;
    esac
  done
  _describe -t words rdmastate fit
}
if [ "$funcstack[1]" = _rdmastate ]; then _rdmastate "$@"; else compdef _rdmastate rdmastate; fi
