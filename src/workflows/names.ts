/** Name of the output channel of runs; also its title in the panel. */
export const runsChannelName = 'Agent Workbench: Runs';
/** Language of that channel: its grammar colours the lines, its link provider makes IDs and cut values open. */
export const runsLanguage = 'agent-workbench-runs';
/** Source of our diagnostics, as Problems shows it. */
export const diagnosticSource = 'Agent Workbench';
/** Scheme of the published versions of agent files; the path is the file's. */
export const publishedScheme = 'agent-workbench-published';
/** Scheme of the read-only documents of runs. */
export const runScheme = 'agent-workbench-run';

/** Panel type of the run inspector. */
export const inspectorType = 'agentWorkbench.inspector';

/** Run files by their name, for language features; the command runs any other JSON of that form too. */
export const runFileSelector = { pattern: '**/*.run.json' };

/** Agent files among others of their ending; what they hold tells. */
export const agentFileSelector = { pattern: '**/*.{yml,yaml}' };

/** Whether a URI's path is that of a run file. */
export function isRunFilePath(path: string): boolean {
	return path.endsWith('.run.json');
}

/** Commands of this feature: what package.json declares of it and {@link WorkflowsCore} carries out. */
export const workflowCommands = [
	'agentWorkbench.workflow.runFile',
	'agentWorkbench.workflow.runFileBlocking',
	'agentWorkbench.runFile.create',
	'agentWorkbench.runFile.chooseConnection',
	'agentWorkbench.runFile.copyAsCurl',
	'agentWorkbench.agentFile.runDraft',
	'agentWorkbench.agentFile.publish',
	'agentWorkbench.agentFile.showChanges',
	'agentWorkbench.run.stop',
	'agentWorkbench.run.inspect',
	'agentWorkbench.run.open',
	'agentWorkbench.run.openOutputs',
	'agentWorkbench.run.openAudio',
	'agentWorkbench.run.saveAsRunFile',
	'agentWorkbench.run.saveOutputs',
	'agentWorkbench.run.copyAsCurl',
	'agentWorkbench.run.compare',
	'agentWorkbench.run.runAgain',
	'agentWorkbench.run.clearHistory',
	'agentWorkbench.run.showOutput',
] as const;
export type WorkflowCommand = (typeof workflowCommands)[number];

/** What carries out some of the commands. */
export type CommandHandlers = Partial<Record<WorkflowCommand, (argument?: unknown) => unknown>>;
