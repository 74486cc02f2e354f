# what: how soft devices, rdma_cm's configfs and the namespace mode really behave where the contract suite has no call for it
# mode: snapshot
# seconds: 16

adapters
CMA=/sys/kernel/config/rdma_cm
anybody() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"; }
mode() { rdma system show | sed -n 's/.*netns \([a-z]*\).*/\1/p'; }
types() { cat /sys/class/infiniband/"$1"/ports/1/gid_attrs/types/"$2"; }
ETH=$(ls /sys/bus/pci/devices/0000:00:06.0/virtio*/net)
ip link set "$ETH" up
ip link add eth7 type veth peer name far7
ip link set far7 up
ip link set eth7 up
ip link add dummy7 type dummy
ip link set dummy7 up

note "9. rxe on every kind of network device, once; in no other network namespace"
for netdev in "$ETH" lo dummy7 eth7; do
	rdma link add "rxe_$netdev" type rxe netdev "$netdev"
	refused "File exists" rdma link add rxe_two type rxe netdev "$netdev"
done
refused "Too many open files in system" rdma link add rxe_lo type siw netdev lo
refused "Invalid argument" rdma link add nosuch0 type nosuch netdev lo
ip netns add blue
refused "Operation not supported" rdma dev set rxe_eth7 netns blue
ip netns del blue
ip link del dummy7
went() { [ ! -e /sys/class/infiniband/rxe_dummy7 ]; }
soon went

note "who is not root changes nothing"
for command in "link add rxe_two type rxe netdev far7" "link delete rxe_lo" "dev set rxe_lo name rxe_two" "system set netns exclusive"; do
	refused "Operation not permitted" anybody rdma $command
done

note "10. rdma_cm knows devices by name, and takes exactly its own words"
modprobe rdma_cm
refused "No such device" mkdir $CMA/nosuch0
mkdir $CMA/rxe_eth7
PORT=$CMA/rxe_eth7/ports/1
same "mode of an rxe device" "RoCE v2" "$(cat $PORT/default_roce_mode)"
for text in "IB/RoCE v1" "RoCE v1" "v2" "roce v2"; do
	refused "Invalid argument" write_sysfs $PORT/default_roce_mode "$text"
done
write_sysfs_raw $PORT/default_roce_mode "RoCE v2"
refused "Numerical result out of range" write_sysfs $PORT/default_roce_tos 256
refused "Invalid argument" write_sysfs $PORT/default_roce_tos -1
write_sysfs $PORT/default_roce_tos 106
rmdir $CMA/rxe_eth7
mkdir $CMA/rxe_eth7
same "ToS after another mkdir" 106 "$(cat $PORT/default_roce_tos)"
rdma dev set rxe_eth7 name rxe_new
refused "No such device" cat $PORT/default_roce_tos
mkdir $CMA/rxe_new
same "ToS under the new name" 106 "$(cat $CMA/rxe_new/ports/1/default_roce_tos)"
rmdir $CMA/rxe_eth7 $CMA/rxe_new
rdma link add siw7 type siw netdev far7
for device in siw7 "$HCA1"; do
	mkdir "$CMA/$device"
	same "mode of $device" "IB/RoCE v1" "$(cat "$CMA/$device/ports/1/default_roce_mode")"
	refused "Invalid argument" write_sysfs "$CMA/$device/ports/1/default_roce_mode" "RoCE v2"
	rmdir "$CMA/$device"
done
refused "Invalid argument" types rxe_lo 200

note "what is no soft device is not deleted, and siw takes no description"
refused "Invalid argument" rdma link delete "$HCA1"
refused "Operation not supported" write_sysfs /sys/class/infiniband/siw7/node_desc "rack 7"

note "18. the driver comes back with its defaults, while the directory stayed"
mkdir "$CMA/$HCA1"
PORT=$CMA/$HCA1/ports/2
write_sysfs "$PORT/default_roce_mode" "IB/RoCE v1"
write_sysfs "$PORT/default_roce_tos" 106
modprobe -r fake_hca
refused "No such device" cat "$PORT/default_roce_mode"
adapters
[ -e "$PORT" ] || fail "the directory went"
same "mode" "RoCE v2" "$(cat "$PORT/default_roce_mode")"
same "ToS" 0 "$(cat "$PORT/default_roce_tos")"

note "9. the driver takes every device that is up"
modprobe -r rdma_rxe
lacks "devices" rxe "$(rdma link show)"

note "11. exclusive and back, unless there is another network namespace"
only_namespace
rdma system set netns exclusive
same "mode" exclusive "$(mode)"
rdma system set netns shared
ip netns add blue
refused "busy" rdma system set netns exclusive
ip netns del blue
soon rdma system set netns exclusive
ip netns add blue
refused "busy" rdma system set netns shared
same "mode" exclusive "$(mode)"
