# shellcheck shell=bash
# For examples/run and tests/run: installing what they need, and saying what they do. To be sourced.

# bold, red, green, plain: colours on a terminal, and there only unless NO_COLOR is set
# shellcheck disable=SC2034 # for who sources this
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
	bold=$'\e[1m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
else
	bold='' red='' green='' plain=''
fi

die() {
	printf '%s\n' "${red}$*${plain}" >&2
	exit 1
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		command -v sudo >/dev/null || die "installing packages needs root or sudo"
		sudo "$@"
	fi
}

# listed FILE...: the words of list files, one per line, without comments
listed() { sed 's/#.*//' "$@" | tr -s ' \t' '\n' | sed '/^$/d' | sort -u; }

# missing_packages FILE...: the listed Debian packages that are not installed
missing_packages() {
	local name
	listed "$@" | while read -r name; do
		# "not-installed" is a state too, of what was purged
		dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -x installed >/dev/null || echo "$name"
	done
}

# install_packages FILE...: installs what is missing of them, and does nothing at all when nothing is
install_packages() {
	local missing still
	command -v dpkg-query >/dev/null || die "this needs Debian (dpkg and apt); elsewhere install by hand: $(listed "$@" | tr '\n' ' ')"
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	echo "installing: $(echo "$missing" | tr '\n' ' ')"
	as_root apt-get -o DPkg::Lock::Timeout=120 -qq update || die "apt-get update failed"
	# shellcheck disable=SC2086 # one word per package
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 -qq -y \
		--no-install-recommends install $missing >/dev/null || die "apt-get could not install: $missing"
	still=$(missing_packages "$@")
	[ -z "$still" ] || die "still missing after installing: $still"
}
