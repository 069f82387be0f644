/** Name of the output channel of runs; also its title in the panel. */
export const runsChannelName = 'Agent Runs';
/** Language of that channel: its grammar colours the lines, its link provider makes IDs and cut values open. */
export const runsLanguage = 'agent-workbench-runs';
/** Source of our diagnostics, as Problems shows it. */
export const diagnosticSource = 'Agent Workbench';
/** Scheme of the published versions of agent files; the path is the file's. */
export const publishedScheme = 'agent-workbench-published';
/** Scheme of the read-only documents of runs. */
export const runScheme = 'agent-workbench-run';

/** Type of debug sessions. */
export const debugType = 'agent';
/** Context key: the active editor has an agent file. */
export const agentFileContext = 'agentWorkbench.agentFile';
/** Context key: the agent file of the active editor is of an app in Dify. */
export const difyFileContext = 'agentWorkbench.difyFile';

/** Panel type of the run inspector. */
export const inspectorType = 'agentWorkbench.inspector';
/** Panel type of the forms for inputs. */
export const inputsType = 'agentWorkbench.inputs';
/** Panel type of the logs page. */
export const logsType = 'agentWorkbench.logs';
/** Panel type of the request log and the usage. */
export const usageType = 'agentWorkbench.usage';
/** Panel type of the results of a suite. */
export const resultsType = 'agentWorkbench.results';
/** Scheme of programs and templates of nodes as documents of their languages. */
export const codeScheme = 'agent-code';

/** Panel type of graphs beside their texts, and type of the editor that shows a graph in the place of its text. */
export const graphPanelType = 'agentWorkbench.graphPanel';
export const graphEditorType = 'agentWorkbench.graph';

/** Run files among all files, by their name; the command runs any other JSON of that form too. */
export const runFilePattern = '**/*.run.json';
/** The same for language features. */
export const runFileSelector = { pattern: runFilePattern };

/** Suites of tests among all files, by their name. */
export const suiteFilePattern = '**/*.suite.json';
/** The same for language features. */
export const suiteFileSelector = { pattern: suiteFilePattern };
/** Files that no search of ours looks into. */
export const foreignFolders = '**/{node_modules,.git}/**';

/** Agent files among others of their ending; what they hold tells. */
export const agentFileSelector = { pattern: '**/*.{yml,yaml}' };

/** Whether a text is one that is edited: the sides of a comparison and the editor's own copies are of other schemes. */
export function isEditedScheme(scheme: string): boolean {
	return scheme === 'file' || scheme === 'untitled';
}

/** Whether a URI's path is that of a run file. */
export function isRunFilePath(path: string): boolean {
	return path.endsWith('.run.json');
}

/** Whether a URI's path is that of a suite of tests. */
export function isSuitePath(path: string): boolean {
	return path.endsWith('.suite.json');
}
