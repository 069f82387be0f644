/**
 * Environment variables that a gateway needs: paths of programs, temporary files and the home folder, language and time zone, proxies and
 * certificates, and those that Windows programs need to start.
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
 * Selects the environment variables for a gateway. On some systems code of agents can read the environment of the gateway's process, so it
 * must not contain the user's keys.
 */
export function buildGatewayEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(environment).filter(([name]) => needed.has(name.toUpperCase()) || name.toUpperCase().startsWith('LC_')),
	);
}
