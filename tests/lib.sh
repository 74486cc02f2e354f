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

# on_terminal: whether somebody can read a question and answer it
on_terminal() { [ -t 0 ] && [ -t 1 ]; }

# asked DEFAULT QUESTION: true when the answer begins with y; an empty answer is DEFAULT (y or n)
asked() {
	local answer
	read -r -p "$2 " answer || answer=n
	[[ ${answer:-$1} == [yY]* ]]
}

# may_install HOW PACKAGE...: true when the caller may install these packages. HOW is
#   yes   the user has agreed: by --install, or by CI=true
#   ask   ask on a terminal; without one, refuse and say what to do
#   demo  ask on a terminal; without one, go on: for a first command that must work by itself
may_install() {
	local how=$1 command
	shift
	[ "${CI:-}" != true ] || how=yes
	printf '%s Debian packages are missing: %s\n' "$#" "$*"
	case $how in
	yes) return 0 ;;
	demo) ! on_terminal || asked y "Install them with apt-get? [Y/n]" || die "nothing was installed" ;;
	ask)
		command="apt-get install --no-install-recommends $*"
		on_terminal || die "run this again with --install, or install them first: $command"
		asked n "Install them with apt-get? [y/N]" || die "nothing was installed; to install them by hand: $command"
		;;
	esac
}

# install_packages HOW FILE...: installs the listed packages that are missing, as may_install HOW allows; does nothing at
# all when none is missing
install_packages() {
	local how=$1 missing still
	shift
	command -v dpkg-query >/dev/null || die "this needs Debian (dpkg and apt); elsewhere install by hand: $(listed "$@" | tr '\n' ' ')"
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	# shellcheck disable=SC2086 # one word per package
	may_install "$how" $missing
	echo "installing them with apt-get"
	as_root apt-get -o DPkg::Lock::Timeout=120 -qq update || die "apt-get update failed"
	# shellcheck disable=SC2086 # one word per package
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 -qq -y \
		--no-install-recommends install $missing >/dev/null || die "apt-get could not install: $missing"
	still=$(missing_packages "$@")
	[ -z "$still" ] || die "still missing after installing: $still"
}
