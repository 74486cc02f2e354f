# Completion of rdmastate for fish: the program itself tells which words fit.
function __rdmastate_words
  set -l words (commandline -opc) (commandline -ct)
  set -l fit ($words[1] complete $words[2..-1] 2>/dev/null)
  string match --invert -- ':*' $fit
  contains :files $fit; and __fish_complete_path $words[-1]
  contains :directories $fit; and __fish_complete_directories $words[-1]
end
complete -c rdmastate -f -a '(__rdmastate_words)'
