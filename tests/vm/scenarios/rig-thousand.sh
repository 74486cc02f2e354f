# what: a thousand IPoIB children made by one batch, dumped, taken up, and what deleting costs
# mode: snapshot
# memory: 4096
# timeout: 240
# when: named

# fact 14
adapters
ipoib
without_udev   # its thousand events would be most of the time
for key in $(seq 32769 33768); do
	printf 'link add link %s name %s.%04x type ipoib pkey 0x%04x\n' $IB1 $IB1 $key $key
done >/run/rig/add
sed 's/link add link [^ ]* name \([^ ]*\) .*/link set \1 up/' /run/rig/add >/run/rig/up
time ip -batch /run/rig/add
same "children" 1000 "$(ip -o link show type ipoib | grep -c "@$IB1")"
ip link set $IB1 up
time ip -batch /run/rig/up
soon is_up $IB1.83e8
time ip -d link show >/dev/null
free -m

note "deleting waits for the kernel's readers each time"
ip link set $IB1 down
for key in $(seq 32769 32868); do printf 'link del %s.%04x\n' $IB1 $key; done >/run/rig/del
time ip -batch /run/rig/del
same "children left" 900 "$(ip -o link show type ipoib | grep -c "@$IB1")"
time modprobe -r ib_ipoib
same "children left" 0 "$(ip -o link show type ipoib | wc -l)"
