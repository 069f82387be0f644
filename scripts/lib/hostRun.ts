/** Variable of the extension host's environment that names the folder of the user's data: logs, settings, states. */
export const userDataVariable = 'AGENT_WORKBENCH_TEST_USER_DATA';

/** What is run, wherever it is run. */
export interface HostRun {
	/** A temporary folder for this run. */
	folder: string;
	workspace: string;
	/** The folder of the extension under development: VS Code runs tests only beside one. It is not the one that is tested. */
	development: string;
	/** The module that runs mocha. */
	tests: string;
	/** Unpacked extensions to install, by their folders. */
	extensions: readonly string[];
	/** Packages (.vsix files) to install before. */
	packages: readonly string[];
	/** Added to the environment of the extension host. */
	environment: Readonly<Record<string, string>>;
}
