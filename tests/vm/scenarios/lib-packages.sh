# For scenarios with programs that are not in the image: their packages are, or the scenario brings them (with: packages).

# unpacked DEB...: the packages' files are there, and systemd knows their units; their scripts, which take long in emulation, did not run
unpacked() {
	local deb
	for deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -C / -x --keep-directory-symlink
	done
	ldconfig
	systemctl daemon-reload
}
