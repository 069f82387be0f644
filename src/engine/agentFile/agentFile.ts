import { fileSchema, type RawVariable } from '#agentFile/agentFileSchema.ts';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import type { Path } from '#agentFile/agentText.ts';
import { appModes, getMainPart, hasGraph } from '#agentFile/appModes.ts';
import { loadModelApp } from '../modelApps/loadModelApp.ts';
import { loadPortableApp } from '../modelApps/portableApp.ts';
import { checkWordRules, readWordRules } from '../modelApps/wordRules.ts';
import { listUnsupportedParts } from '../nodes/agent/agentPackage.ts';
import { AgentDocument } from './agentDocument.ts';
import type { AgentFault, LoadedAgent, StartVariable } from './agentTypes.ts';
import { buildGraph } from './graph.ts';
import { maxVariableLength } from './variableLimit.ts';

const workflowPath: Path = ['workflow'];

/**
 * Reads an agent file (Dify DSL). Problems that only matter during a run, such as a reference to a missing node, become warnings, because
 * the hosted service loads such files too.
 * @param fileName used in messages only
 * @throws {AgentFileError} with file, line and path of the first problem
 */
export function loadAgent(text: string, fileName: string): LoadedAgent {
	const document = new AgentDocument(text, fileName);
	const file = document.checkValue(fileSchema, document.content, []);
	if (file.kind !== 'app') {
		document.throwFault(['kind'], `'${file.kind}' isn't a valid kind. Expected 'app'.`);
	}
	const mode = appModes.find(known => known === file.app.mode);
	if (!mode) {
		return document.throwFault(['app', 'mode'], `'${file.app.mode}' isn't a valid app mode. Expected one of ${appModes.join(', ')}.`);
	}
	const warnings: AgentFault[] = [];
	const major = file.version.split('.')[0];
	if (major !== '0') {
		warnings.push(
			document.createFault(['version'], `format version ${file.version} isn't supported, so the agent may run differently. Expected 0.x.`),
		);
	}
	for (const [reference, carried] of Object.entries(file.agent_packages)) {
		for (const part of listUnsupportedParts(carried)) {
			warnings.push(
				document.createFault(['agent_packages', reference, 'soul', ...part.split('.')], "isn't available here. The agent runs without it."),
			);
		}
	}
	const head = {
		fileName,
		appName: file.app.name,
		mode,
		description: file.app.description,
		version: file.version,
		packages: file.agent_packages,
		warnings,
	};
	if (mode === 'agent') {
		const { package_ref: reference } =
			file.agent ?? document.throwFault([], `the file has no ${getMainPart(mode)}, which apps of mode '${mode}' need`);
		return { ...head, ...noVariables, variables: [], features: {}, ...loadPortableApp(reference, file.agent_packages, document) };
	}
	if (!hasGraph(mode)) {
		const config = file.model_config ?? document.throwFault([], `the file has no ${getMainPart(mode)}, which apps of mode '${mode}' need`);
		return { ...head, ...noVariables, ...loadModelApp(mode, config, document, warnings) };
	}
	const { workflow } = file;
	if (!workflow) {
		return document.throwFault([], 'the file has no workflow');
	}
	const graph = buildGraph(document, readAgentGraph(file), warnings);
	const environment = readSecretTexts(workflow.environment_variables, document);
	if (mode === 'advanced-chat') {
		checkWordRules(readWordRules(workflow.features), [...workflowPath, 'features', 'sensitive_word_avoidance'], document, warnings);
	}
	return {
		...head,
		variables: readStartVariables(graph.root.settings),
		environment: readVariableValues(environment, document, 'environment_variables'),
		secretNames: environment.filter(({ value_type }) => value_type === 'secret').map(({ name }) => name),
		secrets: findSecrets(environment, document),
		conversation: readVariableValues(workflow.conversation_variables, document, 'conversation_variables'),
		conversationTypes: Object.fromEntries(workflow.conversation_variables.map(({ name, value_type }) => [name, value_type])),
		features: workflow.features,
		graph,
	};
}

/** Variables of apps without a graph. */
const noVariables = { environment: {}, secretNames: [], secrets: [], conversation: {}, conversationTypes: {} };

function readStartVariables(settings: unknown): readonly StartVariable[] {
	return (settings as { variables?: readonly StartVariable[] }).variables ?? [];
}

function readVariableValues(variables: readonly RawVariable[], document: AgentDocument, list: string): Record<string, unknown> {
	const entries = variables.map((variable, index): [string, unknown] => {
		if (JSON.stringify(variable.value ?? null).length > maxVariableLength) {
			document.throwFault([...workflowPath, list, index, 'value'], 'the value is larger than 200 KB, the limit for a variable');
		}
		return [variable.name, variable.value ?? getEmptyVariableValue(variable.value_type)];
	});
	return Object.fromEntries(entries);
}

/** Returns the variables with all secrets as text, because only text is masked. A number keeps its digits as they are written. */
function readSecretTexts(variables: readonly RawVariable[], document: AgentDocument): readonly RawVariable[] {
	return variables.map((variable, index) => {
		const { value_type, value } = variable;
		if (value_type !== 'secret' || value === undefined || value === null || typeof value === 'string') {
			return variable;
		}
		const path = [...workflowPath, 'environment_variables', index, 'value'];
		if (typeof value === 'object') {
			document.throwFault(path, 'must be text, because the variable is a secret');
		}
		return { ...variable, value: document.getSource(path) ?? String(value) };
	});
}

/** Maximum number of secrets of one agent. Every string of a run is searched for each secret. */
const maxSecrets = 100;

function findSecrets(variables: readonly RawVariable[], document: AgentDocument): readonly string[] {
	const secrets = variables.filter(({ value_type }) => value_type === 'secret');
	if (secrets.length > maxSecrets) {
		document.throwFault(
			[...workflowPath, 'environment_variables'],
			`has ${secrets.length} secrets. An agent can have at most ${maxSecrets}.`,
		);
	}
	return secrets.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}

function getEmptyVariableValue(type: string): unknown {
	if (type.startsWith('array')) {
		return [];
	}
	return { string: '', secret: '', number: 0, integer: 0, float: 0, object: {}, boolean: false }[type] ?? null;
}
