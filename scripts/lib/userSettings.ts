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

/** The same, and all that could make two runs of one test differ. */
export const testSettings: Readonly<Record<string, unknown>> = {
	...quietSettings,
	'workbench.colorTheme': 'Dark Modern',
	'workbench.reduceMotion': 'on',
	'workbench.layoutControl.enabled': false,
	'workbench.editor.enablePreview': false,
	'editor.cursorBlinking': 'solid',
	'window.autoDetectColorScheme': false,
	'window.autoDetectHighContrast': false,
	'git.enabled': false,
	'json.schemaDownload.enable': false,
	'files.hotExit': 'off',
};

/** Added where folders are not trusted until the user says so; VS Code then asks by nothing but its status bar. */
export const untrustedSettings: Readonly<Record<string, unknown>> = {
	'security.workspace.trust.enabled': true,
	'security.workspace.trust.startupPrompt': 'never',
	'security.workspace.trust.banner': 'never',
};
