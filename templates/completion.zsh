#compdef rdmastate
# Completion of rdmastate for zsh: the program itself tells which words fit.
_rdmastate() {
  local -a fit=(${(f)"$($words[1] complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  (( $fit[(I):files] )) && _files
  (( $fit[(I):directories] )) && _files -/
  fit=("${(@)${(@)${(@)fit:#:*}//:/\\:}/$'\t'/:}")
  _describe -t words rdmastate fit
}
if [ "$funcstack[1]" = _rdmastate ]; then _rdmastate "$@"; else compdef _rdmastate rdmastate; fi
