# what: power cut while an apply records, stages, renames and begins to move the kernel: the boot makes it old, wholly; right after its end: new
# mode: reboot
# timeout: 900
# with: cuts

# A reach_* leaves the program standing right after the system call that its pattern names (stands_at). They stand here in the
# order in which an apply gets there; the last line has the order of the cuts, one for each boot.

reach_before_record() { stands_at mkdirat "$RUNS>, \"[0-9]+\"" rdmastate apply $SPEC; }
reach_recorded() { stands_at renameat,fsync "\"round-01.json\"\) = 0 then fsync\(\d+<$RUNS/[0-9]+>\)" rdmastate apply $SPEC; }
reach_staged() { stands_at fsync "fsync\(\d+</etc/[^>]*\.rdmastate-[0-9a-f]+>" rdmastate apply $SPEC; }
reach_file_renamed() { stands_at renameat "renameat\(\d+</etc/" rdmastate apply $SPEC; }
reach_module_loaded() { stands_at finit_module,init_module "finit_module\(\d+<[^>]*/ib_ipoib" rdmastate apply $SPEC; }
reach_child_created() { stands_at sendto "$CREATES_CHILD" rdmastate apply $SPEC; }
reach_finished() { stands_at fdatasync "fdatasync\(\d+<[^>]*/progress>" rdmastate apply $SPEC; }

ENDS_NEW=finished
cuts finished before-record recorded staged file-renamed module-loaded child-created
