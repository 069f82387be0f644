/** Name of the output channel for runs. */
export const runsChannelName = 'Agent Runs';
/** Language ID of that channel. Selects its grammar, and the links of run IDs and truncated values. */
export const runsLanguage = 'agent-workbench-runs';
/** Source of our diagnostics in the Problems view. */
export const diagnosticSource = 'Agent Workbench';
/** URI scheme of the published versions of agent files. The path is that of the file. */
export const publishedScheme = 'agent-workbench-published';
/** URI scheme of the read-only documents of runs. */
export const runScheme = 'agent-workbench-run';

/** Type of debug sessions. */
export const debugType = 'agent';
/** Context key that is true if the active editor shows an agent file. */
export const agentFileContext = 'agentWorkbench.agentFile';
/** Context key that is true if the agent file in the active editor is linked to an app in Dify. */
export const difyFileContext = 'agentWorkbench.difyFile';

/** Panel type of the run inspector. */
export const inspectorType = 'agentWorkbench.inspector';
/** Panel type of the input forms. */
export const inputsType = 'agentWorkbench.inputs';
/** Panel type of the logs page. */
export const logsType = 'agentWorkbench.logs';
/** Panel type of the request log and the usage page. */
export const usageType = 'agentWorkbench.usage';
/** Panel type of prompt playgrounds. */
export const promptType = 'agentWorkbench.prompt';
/** URI scheme of the documents that show code and templates of nodes in their own languages. */
export const codeScheme = 'agent-code';

/** Panel type of graphs next to their text editors, and type of the custom editor that shows a graph instead of the text. */
export const graphPanelType = 'agentWorkbench.graphPanel';
export const graphEditorType = 'agentWorkbench.graph';

/** Glob for run files. The *Run* command also accepts other JSON files with the same content. */
export const runFilePattern = '**/*.run.json';
/** Document selector of run files. */
export const runFileSelector = { pattern: runFilePattern };

/** Glob for test suites. */
export const suiteFilePattern = '**/*.suite.json';
/** Document selector of test suites. */
export const suiteFileSelector = { pattern: suiteFilePattern };
/** Glob for folders that our searches skip. */
export const foreignFolders = '**/{node_modules,.git}/**';

/** Document selector of YAML files, which can be agent files. */
export const agentFileSelector = { pattern: '**/*.{yml,yaml}' };

/** True if a scheme is that of documents that users edit. False for documents of comparisons and for internal copies. */
export function isEditableScheme(scheme: string): boolean {
	return scheme === 'file' || scheme === 'untitled';
}

/** True if a URI's path is that of a run file. */
export function isRunFilePath(path: string): boolean {
	return path.endsWith('.run.json');
}

/** True if a URI's path is that of a test suite. */
export function isSuitePath(path: string): boolean {
	return path.endsWith('.suite.json');
}

/** Key in the global state for the URI of a samples folder whose window is about to open. */
export const newSamplesKey = 'newSamples';
