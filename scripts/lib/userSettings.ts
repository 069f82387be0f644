/** Settings that suppress prompts, updates, animations and network requests. */
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

/** The quiet settings, and all that could make two test runs differ; everything else keeps its default. */
export const testSettings: Readonly<Record<string, unknown>> = {
	...quietSettings,
	// one theme at the start, regardless of the browser's preference
	'workbench.colorTheme': 'Dark Modern',
	'window.autoDetectColorScheme': false,
	'window.autoDetectHighContrast': false,
	// avoids screenshots during animations
	'workbench.reduceMotion': 'on',
	'editor.cursorBlinking': 'solid',
	'workbench.layoutControl.enabled': false,
	// keeps git processes from reading the copies of the sample workspace while they are created and deleted
	'git.enabled': false,
	// no downloads
	'json.schemaDownload.enable': false,
	// keeps unsaved text of a closed or reloaded window from reappearing in the next one
	'files.hotExit': 'off',
};

/** Added if folders are untrusted until the user trusts them; VS Code then shows this only in its status bar. */
export const untrustedSettings: Readonly<Record<string, unknown>> = {
	'security.workspace.trust.enabled': true,
	'security.workspace.trust.startupPrompt': 'never',
	'security.workspace.trust.banner': 'never',
};
