# For scenarios in which NetworkManager or networkd configures interfaces (with: managers). Both are in the image, neither runs nor is
# enabled. What they touch is InfiniBand alone, and bonds.

# networkmanager [enable]: starts it; with `enable` it starts at the next boot too
networkmanager() {
	mkdir -p /etc/NetworkManager/conf.d
	printf '[main]\nno-auto-default=*\n[keyfile]\nunmanaged-devices=*,except:type:infiniband,except:type:bond\n' >/etc/NetworkManager/conf.d/rig.conf
	export PAGER=cat NO_COLOR=1
	[ "${1-}" != enable ] || systemctl -q enable NetworkManager
	systemctl start NetworkManager
	soon nmcli general status
}

# networkd [enable]: starts it; with `enable` it starts at the next boot too
networkd() {
	export SYSTEMD_PAGER=cat SYSTEMD_COLORS=0
	[ "${1-}" != enable ] || systemctl -q enable systemd-networkd
	systemctl start systemd-networkd
}

# networkd_state INTERFACE: "configured /etc/systemd/network/x.network"
networkd_state() {
	local index state file
	index=$(cat "/sys/class/net/$1/ifindex")
	state=$(networkctl list "$1" --no-legend | awk '{print $5}')
	file=$(sed -n 's/^NETWORK_FILE=//p' "/run/systemd/netif/links/$index")
	echo "$state $file"
}
configured() { [[ "$(networkd_state "$1")" == "configured "* ]]; }

PROFILES=/etc/NetworkManager/system-connections

# runs INTERFACE: the id of the profile that NetworkManager has active there
runs() { nmcli -g GENERAL.CONNECTION device show "$1"; }

# nm_state INTERFACE: "100 (connected)"
nm_state() { nmcli -g GENERAL.STATE device show "$1"; }

# nm_work: what NetworkManager has activated and how often it has changed that: the same as long as it does nothing
nm_work() {
	local device
	for device in $(nmcli -g DEVICE,TYPE device | sed -n 's/:infiniband$//p' | sort); do
		nmcli -g GENERAL.CON-PATH,GENERAL.DBUS-PATH device show "$device"
		busctl --system call org.freedesktop.NetworkManager "$(nmcli -g GENERAL.DBUS-PATH device show "$device")" \
			org.freedesktop.NetworkManager.Device GetAppliedConnection u 0 2>/dev/null | sed 's/.* //' || true
	done
}

# undisturbed COMMAND...: quiet, and NetworkManager did not do anything either
undisturbed() {
	local before
	quiet true
	before=$(nm_work)
	quiet "$@"
	same "what NetworkManager did meanwhile" "$before" "$(nm_work)"
}
