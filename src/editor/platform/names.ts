/** Name of the output channel for runs. */
export const runsChannelName = 'Agent Runs';
/** Language of that channel, for its grammar and for the links of run IDs and truncated values. */
export const runsLanguage = 'agent-workbench-runs';
/** Source of our diagnostics in the Problems view. */
export const diagnosticSource = 'Agent Workbench';
/** Scheme of the published versions of agent files. The path is that of the file. */
export const publishedScheme = 'agent-workbench-published';
/** Scheme of the read-only documents of runs. */
export const runScheme = 'agent-workbench-run';

/** Type of debug sessions. */
export const debugType = 'agent';
/** Context key: the active editor shows an agent file. */
export const agentFileContext = 'agentWorkbench.agentFile';
/** Context key: the agent file in the active editor is linked to an app in Dify. */
export const difyFileContext = 'agentWorkbench.difyFile';

/** Panel type of the run inspector. */
export const inspectorType = 'agentWorkbench.inspector';
/** Panel type of the input forms. */
export const inputsType = 'agentWorkbench.inputs';
/** Panel type of the logs page. */
export const logsType = 'agentWorkbench.logs';
/** Panel type of the request log and the usage page. */
export const usageType = 'agentWorkbench.usage';
/** Panel type of the results of a suite. */
export const resultsType = 'agentWorkbench.results';
/** Scheme of the documents that show code and templates of nodes in their own languages. */
export const codeScheme = 'agent-code';

/** Panel type of graphs next to their text editors, and type of the custom editor that shows a graph instead of the text. */
export const graphPanelType = 'agentWorkbench.graphPanel';
export const graphEditorType = 'agentWorkbench.graph';

/** Glob of run files. The command *Run* accepts other JSON files of that form too. */
export const runFilePattern = '**/*.run.json';
/** Document selector of run files. */
export const runFileSelector = { pattern: runFilePattern };

/** Glob of test suites. */
export const suiteFilePattern = '**/*.suite.json';
/** Document selector of test suites. */
export const suiteFileSelector = { pattern: suiteFilePattern };
/** Glob of folders that our searches skip. */
export const foreignFolders = '**/{node_modules,.git}/**';

/** Document selector of YAML files, which may be agent files. */
export const agentFileSelector = { pattern: '**/*.{yml,yaml}' };

/** True for schemes of documents that the user edits, false for those of comparisons and of internal copies. */
export function isEditedScheme(scheme: string): boolean {
	return scheme === 'file' || scheme === 'untitled';
}

/** True if the path of a URI is that of a run file. */
export function isRunFilePath(path: string): boolean {
	return path.endsWith('.run.json');
}

/** True if the path of a URI is that of a test suite. */
export function isSuitePath(path: string): boolean {
	return path.endsWith('.suite.json');
}
