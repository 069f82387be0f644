import type { ModelMode } from '#agentFile/appModes.ts';
import { type FieldKind, type FormEntry, fieldKinds, type ModelConfig } from '#agentFile/modelConfigSchema.ts';
import type { AgentDocument } from '../agentFile/agentDocument.ts';
import type { AgentFault, Graph, StartVariable } from '../agentFile/agentTypes.ts';
import { toStartVariable } from '../agentFile/startVariable.ts';
import { buildAppGraph } from './appGraph.ts';
import { listExternalTools, type ModelAppSettings, modelApp } from './modelApp.ts';
import { checkWordRules } from './wordRules.ts';

/** Maximum number of messages of a prompt in the hosted service. */
const maxMessages = 10;

/**
 * Loads an app without a graph as a graph of its inputs, its model and its answer.
 * @throws {AgentFileError} if the app can't be run
 */
export function loadModelApp(
	mode: ModelMode,
	config: ModelConfig,
	document: AgentDocument,
	warnings: AgentFault[],
): { readonly variables: readonly StartVariable[]; readonly graph: Graph; readonly features: Readonly<Record<string, unknown>> } {
	const variables = config.user_input_form.flatMap((entry, at) => readFormVariable(entry, at, document, warnings));
	refuseDuplicateVariables(config, document);
	refuseTooManyMessages(config, document);
	for (const { variable } of listExternalTools(config)) {
		warnings.push(
			document.createFault(
				['model_config', 'external_data_tools'],
				`'${variable}' comes from an external data tool, which isn't available here. Runs fail if the prompt uses it.`,
			),
		);
	}
	checkWordRules(config.sensitive_word_avoidance, ['model_config', 'sensitive_word_avoidance'], document, warnings);
	const { opening_statement, suggested_questions, file_upload, sensitive_word_avoidance, retriever_resource } = config;
	return {
		variables,
		graph: buildGraph(mode, config, variables),
		features: { opening_statement, suggested_questions, file_upload, sensitive_word_avoidance, retriever_resource },
	};
}

function buildGraph(mode: ModelMode, config: ModelConfig, variables: readonly StartVariable[]): Graph {
	const settings: ModelAppSettings = { mode, config, start: 'start', variables: variables.map(({ variable }) => variable) };
	return buildAppGraph(variables, {
		type: mode === 'agent-chat' ? 'agent' : modelApp.type,
		title: config.model.name,
		nodeType: modelApp,
		settings,
	});
}

function readFormVariable(entry: FormEntry, at: number, document: AgentDocument, warnings: AgentFault[]): readonly StartVariable[] {
	const kind = fieldKinds.find(each => entry[each] !== undefined);
	if (kind === 'external_data_tool') {
		return [];
	}
	const field = kind && entry[kind];
	if (!field) {
		warnings.push(
			document.createFault(
				['model_config', 'user_input_form', at],
				`has no known field and is ignored. Expected one of ${fieldKinds.join(', ')}.`,
			),
		);
		return [];
	}
	return [toStartVariable(field, kind satisfies FieldKind)];
}

function refuseDuplicateVariables({ user_input_form: form }: ModelConfig, document: AgentDocument): void {
	const known = new Set<string>();
	for (const [at, entry] of form.entries()) {
		const kind = fieldKinds.find(each => entry[each] !== undefined);
		const variable = kind && entry[kind]?.variable;
		if (kind && variable !== undefined && known.has(variable)) {
			document.throwFault(
				['model_config', 'user_input_form', at, kind, 'variable'],
				`the variable '${variable}' is already used by another field`,
			);
		}
		if (variable !== undefined) {
			known.add(variable);
		}
	}
}

function refuseTooManyMessages(config: ModelConfig, document: AgentDocument): void {
	const messages = config.chat_prompt_config?.prompt ?? [];
	if (config.prompt_type === 'advanced' && messages.length > maxMessages) {
		document.throwFault(
			['model_config', 'chat_prompt_config', 'prompt'],
			`has ${messages.length} messages. A prompt can have at most ${maxMessages}.`,
		);
	}
}
