# Completion of rdmastate for fish: the program itself tells which words fit.
function __rdmastate_words
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] complete $words[2..-1] 2>/dev/null)
    switch $line
      case :files
        __fish_complete_path (commandline -ct)
      case :directories
        __fish_complete_directories (commandline -ct)
      case '*'
        printf '%s\n' $line
    end
  end
end
complete -c rdmastate -f -a '(__rdmastate_words)'
