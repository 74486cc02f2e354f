# what: what plans of 1 to 1000 children cost against their floor, and making 1000 against ip -batch
# mode: snapshot
# memory: 4096
# timeout: 900

adapters
ipoib
without_udev   # its thousand events would be most of the time
/usr/bin/python3 /opt/bench/thousand.py "$IB1" "$(which rdmastate)"
