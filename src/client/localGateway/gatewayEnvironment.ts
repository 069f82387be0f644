/**
 * Variables of the editor's environment that a gateway needs: where programs, temporary files and the user's own folder are, language and time zone,
 * proxies and certificates, and what Windows programs do not start without.
 */
const needed = new Set(
	[
		['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TMP', 'TEMP', 'LANG', 'LANGUAGE', 'TZ', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'],
		['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
		[
			'SYSTEMROOT',
			'SYSTEMDRIVE',
			'WINDIR',
			'COMSPEC',
			'PATHEXT',
			'USERPROFILE',
			'APPDATA',
			'LOCALAPPDATA',
			'PROGRAMDATA',
			'NUMBER_OF_PROCESSORS',
		],
	].flat(),
);

/**
 * What of an environment a gateway is started with. Code of agents may read the environment of the process that runs it, where the system keeps
 * nobody from that: keys that a user has in variables have no place there.
 */
export function gatewayEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(environment).filter(([name]) => needed.has(name.toUpperCase()) || name.toUpperCase().startsWith('LC_')),
	);
}
