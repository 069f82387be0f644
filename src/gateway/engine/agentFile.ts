import { AgentDocument, type Path } from './agentDocument.ts';
import { fileSchema, graphModes, type RawVariable } from './agentFileSchema.ts';
import type { AgentFault, LoadedAgent, StartVariable } from './agentTypes.ts';
import { buildGraph } from './graph.ts';
import { maxVariableLength } from './variableLimit.ts';

const workflowPath: Path = ['workflow'];

/**
 * Reads an agent file (Dify DSL). What a run would only trip over, such as a reference to a node that does not exist, becomes a
 * warning, because the hosted service loads it too.
 * @param fileName used in messages only
 * @throws {AgentFileError} with file, line and path of the first fault
 */
export function loadAgent(text: string, fileName: string): LoadedAgent {
	const document = new AgentDocument(text, fileName);
	const file = document.check(fileSchema, document.content, []);
	if (file.kind !== 'app') {
		document.refuse(['kind'], `"${file.kind}" is not an agent; only files of kind "app" can be run`);
	}
	const mode = graphModes.find(known => known === file.app.mode);
	if (!mode || !file.workflow) {
		return document.refuse(
			mode ? [] : ['app', 'mode'],
			mode
				? 'the file has no workflow'
				: `an app of mode "${file.app.mode}" has no graph to run; modes that have one: ${graphModes.join(', ')}`,
		);
	}
	const warnings: AgentFault[] = [];
	const major = file.version.split('.')[0];
	if (major !== '0') {
		warnings.push(
			document.fault(['version'], `version ${file.version} is newer than 0.x, which this engine knows; it may run differently`),
		);
	}
	const graph = buildGraph(document, file.workflow.graph, [...workflowPath, 'graph'], warnings);
	return {
		fileName,
		appName: file.app.name,
		mode,
		description: file.app.description,
		version: file.version,
		variables: startVariables(graph.root.settings),
		environment: values(file.workflow.environment_variables, document, 'environment_variables'),
		conversation: values(file.workflow.conversation_variables, document, 'conversation_variables'),
		features: file.workflow.features,
		graph,
		warnings,
	};
}

function startVariables(settings: unknown): readonly StartVariable[] {
	return (settings as { variables?: readonly StartVariable[] }).variables ?? [];
}

function values(variables: readonly RawVariable[], document: AgentDocument, list: string): Record<string, unknown> {
	const entries = variables.map((variable, index): [string, unknown] => {
		if (JSON.stringify(variable.value ?? null).length > maxVariableLength) {
			document.refuse([...workflowPath, list, index, 'value'], 'the value is over 200 KB, the most a variable can have');
		}
		return [variable.name, variable.value ?? emptyValue(variable.value_type)];
	});
	return Object.fromEntries(entries);
}

function emptyValue(type: string): unknown {
	if (type.startsWith('array')) {
		return [];
	}
	return { string: '', secret: '', number: 0, integer: 0, float: 0, object: {}, boolean: false }[type] ?? null;
}
