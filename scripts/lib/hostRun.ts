/** Environment variable of the extension host with the folder of the user's data: logs, settings, state. */
export const userDataVariable = 'AGENT_WORKBENCH_TEST_USER_DATA';

/** A test run, independent of the VS Code that runs it. */
export interface HostRun {
	/** A temporary folder for this run. */
	folder: string;
	workspace: string;
	/** Folder of the extension under development, which VS Code requires for tests. It isn't the tested one. */
	development: string;
	/** The module that runs mocha. */
	tests: string;
	/** Folders of unpacked extensions to install. */
	extensions: readonly string[];
	/** Packages (.vsix files) to install first. */
	packages: readonly string[];
	/** Added to the environment of the extension host. */
	environment: Readonly<Record<string, string>>;
}
