# what: a .link file names a port's interface when its driver comes, as udev reads it; by the address of 20 bytes none could
# mode: snapshot
# timeout: 200
# seconds: 21
# releases: trixie

adapters
mkdir -p /root/specs
cat >/root/specs/host.yaml <<'SPEC'
version: 1
network: {backend: none}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    named_by: link-file
  - name: store1
    match: {port_guid: "f452:1403:007b:cbb1"}
SPEC
FILE=/etc/systemd/network/60-rdmastate-store0.link
builtin() { udevadm test-builtin net_setup_link "/sys/class/net/$1" 2>&1; }
address() { cat "/sys/class/net/$1/address"; }

rdmastate apply /root/specs/host.yaml
soon idle
same "name of the first adapter's interface" store0 "$(netdev_of $HCA1_PCI)"
contains "what udev makes of it" "ID_NET_LINK_FILE=$FILE" "$(builtin store0)"
contains "what udev makes of it" "ID_NET_NAME=store0" "$(builtin store0)"
lacks "what udev makes of it" "gnoring" "$(builtin store0)"
lacks "what udev makes of the other one" "ID_NET_LINK_FILE=$FILE" "$(builtin store1)"
quiet rdmastate apply /root/specs/host.yaml

note "children are not on the PCI function"
ip link add link store0 name child type ipoib pkey 0x8002
lacks "what udev makes of a child" "ID_NET_LINK_FILE=$FILE" "$(builtin child)"
ip link delete child

note "the driver is loaded again: udev alone gives the name, before rdmastate is called"
systemctl mask --runtime rdmastate.service rdmastate-event@.service
before=$(address store0)
unload ib_ipoib
# Another queue pair number: the second adapter's interface comes first. The address is not what it was.
modprobe ib_ipoib
udevadm settle
soon exists store0
same "name by udev" store0 "$(netdev_of $HCA1_PCI)"
same "the other's name by its rule" store1 "$(netdev_of $HCA2_PCI)"
[ "$before" != "$(address store0)" ] || fail "the address is the same: $before"
note "the address was $before and is $(address store0)"
same "the GUID in it" "${before: -23}" "$(address store0 | grep -o '.\{23\}$')"

note "systemd compares all 20 bytes"
printf '[Match]\nMACAddress=%s\n\n[Link]\nName=byaddress\n' "$(address store0)" >/etc/systemd/network/50-test.link
udevadm control --reload
contains "the whole address" "ID_NET_NAME=byaddress" "$(builtin store0)"
printf '[Match]\nMACAddress=80:ff:ff:ff:%s\n\n[Link]\nName=byaddress\n' "$(address store0 | cut -d: -f5-)" >/etc/systemd/network/50-test.link
udevadm control --reload
lacks "another queue pair number" "byaddress" "$(builtin store0)"
