# what: where firewalld does not run the zone's file gets one entry in a copy of the package's; its start and a reboot let the port in
# mode: reboot
# with: packages firewall
# timeout: 400
# seconds: 300

if [ "$BOOT" = 1 ]; then
	installed

	step "while it does not run: one entry in a copy of the package's zone, which its start reads"
	rdmastate apply $WITH
	contains "the plan" "firewalld does not run here" "$(rdmastate plan $WITH)"
	same "lines that the package's zone does not have" 3 "$(diff $PACKAGED $OWN | grep -c '^>')"
	lacks "the difference" "<" "$(diff $PACKAGED $OWN | grep '^<' || [ $? = 1 ])"
	rdmastate apply $WITHOUT
	[ ! -e $OWN ] || fail "the copy is there: $(cat $OWN)"
	rdmastate apply $WITH
	firewalld_runs
	ports "20049/tcp 20049/udp"
	ssh_stays
	quiet rdmastate apply $WITH
	reboot_now
fi

step "boot $BOOT: nobody has run rdmastate"
soon firewall-cmd --state
asked "20049/tcp 20049/udp"
ssh_stays
contains "the kernel's rules" "tcp dport 20049" "$(rules)"
quiet rdmastate apply $WITH
rdmastate apply $WITHOUT
ports ""
ssh_stays
