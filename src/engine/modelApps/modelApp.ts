import * as z from 'zod';
import type { ModelMode } from '#agentFile/appModes.ts';
import type { ModelConfig } from '#agentFile/modelConfigSchema.ts';
import { getField } from '#base/records/plainValues.ts';
import { sumUsage } from '../nodes/agent/agentWork.ts';
import { readCompletionParameters } from '../nodes/model/completionParameters.ts';
import { askModel, type ModelReply, sumUsageMetadata } from '../nodes/model/modelText.ts';
import { addPictures, loadPictures } from '../nodes/model/prompt.ts';
import { ReplyText } from '../nodes/model/replyText.ts';
import { NodeError } from '../nodes/nodeError.ts';
import { defineNodeType, type NodeContext } from '../nodes/nodeType.ts';
import type { ModelRequest } from '../run/engineTypes.ts';
import { isFileValue } from '../variables/fileValue.ts';
import { toPlainText } from '../variables/textForms.ts';
import { type AgentTurn, runAgentTurn } from './agentApp.ts';
import { type AppKnowledge, searchAppKnowledge } from './appKnowledge.ts';
import { fitHistory, getRemainingTokens } from './history.ts';
import { guardOutput } from './outputGuard.ts';
import { findInputNames } from './placeholders.ts';
import { buildPrompt } from './prompt.ts';
import { findPresetAnswer, listUncheckedRules } from './wordRules.ts';

/** Settings of the node that represents an app without a graph. */
export interface ModelAppSettings {
	readonly mode: ModelMode;
	readonly config: ModelConfig;
	/** ID of the node that outputs the inputs. */
	readonly start: string;
	/** Variables of the input form. */
	readonly variables: readonly string[];
}
type Context = NodeContext<ModelAppSettings>;

/** The only step of an app without a graph: prompts its model according to `model_config` and streams the text. */
export const modelApp = defineNodeType({
	type: 'llm',
	schema: z.custom<ModelAppSettings>(),
	async run(context) {
		const { settings, record, run } = context;
		const { config } = settings;
		const query = run.chat?.query ?? '';
		const inputs = getAppInputs(context);
		record.inputs = { ...inputs, ...(query !== '' && { '#sys.query#': query }) };
		refuseMissingTools(config, inputs);
		const preset = await findPresetAnswer(
			config.sensitive_word_avoidance,
			[...Object.values(inputs).map(toPlainText), query],
			context.signal,
		);
		if (preset !== undefined) {
			record.processData = { moderated: 'input' };
			context.stream('text', preset, true);
			return { outputs: { text: preset, usage: undefined, finish_reason: 'moderation', files: [] } };
		}
		return { outputs: await replyToUser(context, inputs, query) };
	},
});

const none: AppKnowledge = { context: undefined, notes: [] };

async function replyToUser(context: Context, inputs: Readonly<Record<string, unknown>>, query: string): Promise<Record<string, unknown>> {
	const { settings, record, services, run } = context;
	const { config } = settings;
	const { model } = config;
	// an agent searches on its own, using its datasets as tools
	const knowledge = settings.mode === 'agent-chat' ? none : await searchAppKnowledge(config, inputs, query, context);
	const parameters = readCompletionParameters(model.completion_params);
	const prompt = buildPrompt(config, {
		inputs,
		query,
		context: knowledge.context,
		history: run.chat?.history ?? [],
		selectHistory: (history, sent) =>
			fitHistory(history, getRemainingTokens(sent, services.models.getContextTokens?.(model.name), parameters.maxTokens)),
	});
	const seen = await loadQuestionFiles(context);
	const messages = addPictures(prompt.messages, seen.pictures);
	if (messages.length === 0) {
		throw new NodeError("The prompt is empty: the app has no instructions, and there's no message", 'NoPromptFoundError');
	}
	const stop = [...(parameters.stop ?? []), ...prompt.stop];
	const request: ModelRequest = { model: model.name, messages, ...parameters, ...(stop.length > 0 && { stop }) };
	const notes = [...knowledge.notes, ...seen.notes, ...listUncheckedRules(config.sensitive_word_avoidance)];
	record.processData = {
		model_mode: model.mode,
		model_provider: model.provider,
		model_name: model.name,
		prompts: messages.map(({ role, content }) => ({
			role,
			text: typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '[image]')).join('\n'),
		})),
		...(notes.length > 0 && { warnings: notes }),
	};
	const asked = await askAppModel(context, request, { inputs, query });
	const { replies = [] } = asked;
	const usage = asked.replies && sumUsage(replies);
	record.metadata = { ...record.metadata, ...sumUsageMetadata(...replies) };
	const warnings = [...new Set([...notes, ...replies.flatMap(reply => reply.warnings)])];
	const finishReason = asked.replies ? (replies.at(-1)?.finishReason ?? 'stop') : 'moderation';
	record.processData = {
		...record.processData,
		usage,
		finish_reason: finishReason,
		...(warnings.length > 0 && { warnings }),
		...(!asked.replies && { moderated: 'output' }),
	};
	return { text: asked.text, usage, finish_reason: finishReason, files: [] };
}

/** Calls the model, once or with tools in iterations, and streams its text. */
async function askAppModel(context: Context, request: ModelRequest, turn: Pick<AgentTurn, 'inputs' | 'query'>): Promise<Asked> {
	const { services, settings } = context;
	const { config, mode } = settings;
	const text = new ReplyText(context, false);
	const { result, preset } = await guardOutput(context, config, async (signal, check) => {
		const pushChunk = (type: 'text' | 'reasoning', piece: string) => {
			check(piece);
			text.push(type, piece);
		};
		if (mode !== 'agent-chat') {
			return [
				await askModel(services.models, request, signal, part => {
					if (part.type === 'text' || part.type === 'reasoning') {
						pushChunk(part.type, part.text);
					}
				}),
			];
		}
		const asked = request.messages.at(-1)?.content ?? '';
		return runAgentTurn(context, config, { ...turn, asked, signal, streamText: piece => pushChunk('text', piece) });
	});
	if (!result) {
		return { text: preset, replies: undefined };
	}
	text.endReply();
	return { text: text.text, replies: result };
}

/** The text and the model's replies. There are no replies if the preset answer replaced the text. */
interface Asked {
	readonly text: string;
	readonly replies: readonly ModelReply[] | undefined;
}

/** Returns the inputs for prompts. Omitted ones are empty strings. */
function getAppInputs({ settings, variables }: Context): Readonly<Record<string, unknown>> {
	const given = variables.getAllValues(settings.start);
	return Object.fromEntries(settings.variables.map(name => [name, Object.hasOwn(given, name) ? given[name] : '']));
}

/** @throws {NodeError} if the prompt has a placeholder that only an external tool of the hosted service can fill */
function refuseMissingTools(config: ModelConfig, inputs: Readonly<Record<string, unknown>>): void {
	const { pre_prompt, chat_prompt_config: chat, completion_prompt_config: completion } = config;
	const advanced = config.model.mode === 'completion' ? [completion?.prompt?.text ?? ''] : (chat?.prompt ?? []).map(({ text }) => text);
	const places = new Set((config.prompt_type === 'advanced' ? advanced : [pre_prompt]).flatMap(findInputNames));
	const missing = listExternalTools(config).find(({ variable }) => places.has(variable) && !Object.hasOwn(inputs, variable));
	if (missing) {
		throw new NodeError(
			`The prompt uses {{${missing.variable}}} from the external data tool '${missing.label || missing.type || missing.variable}', which isn't available here. Make it a field of user_input_form, or run the agent on its Dify server.`,
			'ExternalDataToolError',
		);
	}
}

/** Returns the external tools, which fetch a prompt value from a service. They include fields of the input form. */
export function listExternalTools(
	config: ModelConfig,
): readonly { readonly variable: string; readonly type: string; readonly label: string }[] {
	const inForm = config.user_input_form.flatMap(({ external_data_tool: tool }) =>
		tool ? [{ ...tool, type: String(tool['type'] ?? '') }] : [],
	);
	return [...config.external_data_tools.filter(({ enabled }) => enabled === true), ...inForm];
}

async function loadQuestionFiles({ settings, variables, services, signal }: Context) {
	const files = [variables.get(['sys', 'files'])].flat().filter(isFileValue);
	if (files.length === 0) {
		return { pictures: [], notes: [] };
	}
	if (!isAcceptingFiles(settings.config)) {
		return { pictures: [], notes: ["files: ignored because the app doesn't accept files (file_upload)"] };
	}
	const images = files.filter(({ type }) => type === 'image');
	const taken = images.slice(0, getMaxFiles(settings.config));
	const others = files.length - images.length;
	return {
		pictures: await loadPictures(taken, services.files, signal),
		notes: [
			...(others > 0 ? [`files: ${others} ignored because the app sends only images to the model`] : []),
			...(taken.length < images.length
				? [`files: ${images.length - taken.length} ignored because the app accepts ${taken.length} per message`]
				: []),
		],
	};
}

function getMaxFiles({ file_upload: upload }: ModelConfig): number {
	const most = getField(upload, 'number_limits') ?? getField(getField(upload, 'image'), 'number_limits');
	return typeof most === 'number' && most >= 0 ? most : Number.POSITIVE_INFINITY;
}

/** True if files are sent with the question. `image.enabled` is the format before Dify 0.10. */
function isAcceptingFiles({ file_upload: upload }: ModelConfig): boolean {
	return upload?.enabled === true || getField(getField(upload, 'image'), 'enabled') === true;
}
