/** Settings under which nothing asks, updates, animates or calls outside by itself. */
export const quietSettings: Readonly<Record<string, unknown>> = {
	'telemetry.telemetryLevel': 'off',
	'update.mode': 'none',
	'update.showReleaseNotes': false,
	'extensions.autoUpdate': false,
	'extensions.autoCheckUpdates': false,
	'extensions.ignoreRecommendations': true,
	'workbench.enableExperiments': false,
	'workbench.startupEditor': 'none',
	'workbench.tips.enabled': false,
	'workbench.secondarySideBar.defaultVisibility': 'hidden',
	'chat.commandCenter.enabled': false,
	'chat.agentHost.enabled': false,
	'git.openRepositoryInParentFolders': 'never',
	'npm.autoDetect': 'off',
	'remote.autoForwardPorts': false,
	'security.workspace.trust.enabled': false,
};

/** The same, and all that could make two runs of one test differ; what users have by default stays as it is for everything else. */
export const testSettings: Readonly<Record<string, unknown>> = {
	...quietSettings,
	// one theme to begin with, whatever the browser says that its user likes
	'workbench.colorTheme': 'Dark Modern',
	'window.autoDetectColorScheme': false,
	'window.autoDetectHighContrast': false,
	// screenshots that do not catch a movement half way
	'workbench.reduceMotion': 'on',
	'editor.cursorBlinking': 'solid',
	'workbench.layoutControl.enabled': false,
	// no process of git reads the copies of the sample workspace while they are made and removed
	'git.enabled': false,
	// nothing is fetched from outside
	'json.schemaDownload.enable': false,
	// a window that a test closes or reloads leaves no unsaved text to the next
	'files.hotExit': 'off',
};

/** Added where folders are not trusted until the user says so; VS Code then asks by nothing but its status bar. */
export const untrustedSettings: Readonly<Record<string, unknown>> = {
	'security.workspace.trust.enabled': true,
	'security.workspace.trust.startupPrompt': 'never',
	'security.workspace.trust.banner': 'never',
};
