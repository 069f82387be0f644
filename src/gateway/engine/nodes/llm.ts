import * as z from 'zod';
import type { ModelMessage, ModelRequest } from '../engineTypes.ts';
import { Jinja } from '../jinja/jinja.ts';
import { askModel, completionParameters, type ModelReply, usageMetadata, usageOutput } from '../modelText.ts';
import { pictures, remembered, withPictures } from '../prompt.ts';
import { resolveText } from '../references.ts';
import { jsonInReply } from '../replyJson.ts';
import { plainText } from '../textForms.ts';
import { ThinkingFilter } from '../thinking.ts';
import { inputValues } from './inputValues.ts';
import { memorySchema, modelSchema, visionSchema } from './modelSchemas.ts';
import { type NodeContext, NodeError, nodeType } from './nodeType.ts';
import { inputsSchema, selectorSchema, textSchema } from './schemas.ts';

const promptSchema = z
	.looseObject({
		role: z.enum(['system', 'user', 'assistant']).nullish(),
		text: textSchema,
		edition_type: z.string().nullish(),
		jinja2_text: textSchema,
	})
	.transform(({ role, text, edition_type, jinja2_text }) => ({
		role: role ?? ('user' as const),
		text,
		jinja: edition_type === 'jinja2' ? new Jinja(jinja2_text || text) : undefined,
	}));

const schema = z.looseObject({
	model: modelSchema,
	prompt_template: z.union([z.array(promptSchema), promptSchema.transform(prompt => [prompt])]),
	prompt_config: z.looseObject({ jinja2_variables: inputsSchema }).nullish(),
	context: z.looseObject({ enabled: z.boolean().nullish(), variable_selector: selectorSchema.nullish() }).nullish(),
	memory: memorySchema,
	vision: visionSchema,
	structured_output_enabled: z.boolean().nullish(),
	structured_output: z.looseObject({ schema: z.record(z.string(), z.unknown()).nullish() }).nullish(),
	reasoning_format: z.enum(['separated', 'tagged']).nullish(),
});
type Context = NodeContext<z.output<typeof schema>>;

/** Asks a model of the gateway's routing table; its text is streamed. */
export const llm = nodeType({
	type: 'llm',
	schema,
	async run(context) {
		const { settings, record, services, signal } = context;
		const request: ModelRequest = {
			model: settings.model.name,
			messages: await messagesOf(context),
			...completionParameters(settings.model.completion_params),
			...responseSchema(context),
		};
		record.processData = {
			model_mode: settings.model.mode,
			model_provider: settings.model.provider,
			model_name: settings.model.name,
			prompts: request.messages.map(({ role, content }) => ({ role, text: promptText(content), files: [] })),
		};
		const text = new ReplyText(context);
		const reply = await askModel(services.models, request, signal, part => {
			if (part.type === 'text' || part.type === 'reasoning') {
				text.push(part.type, part.text);
			}
		});
		text.end();
		const usage = usageOutput(reply);
		record.metadata = usageMetadata(reply);
		record.processData = { ...record.processData, usage, finish_reason: reply.finishReason };
		return {
			outputs: {
				text: text.text,
				reasoning_content: text.reasoning,
				usage,
				finish_reason: reply.finishReason,
				...structuredOutput(context, reply),
				files: [],
			},
		};
	},
});

/** Joins the pieces of a reply as the node's `reasoning_format` has them, and streams the text. */
class ReplyText {
	readonly #context: Context;
	readonly #separated: boolean;
	readonly #filter = new ThinkingFilter();
	#tagOpen = false;
	#reasoning = '';
	text = '';

	constructor(context: Context) {
		this.#context = context;
		this.#separated = context.settings.reasoning_format === 'separated';
	}

	get reasoning(): string {
		return this.#separated ? this.#reasoning + this.#filter.reasoning : '';
	}

	push(type: 'text' | 'reasoning', piece: string): void {
		if (this.#separated) {
			if (type === 'reasoning') {
				this.#reasoning += piece;
			} else {
				this.#add(this.#filter.push(piece));
			}
			return;
		}
		const opens = type === 'reasoning';
		const tag = opens === this.#tagOpen ? '' : opens ? '<think>\n' : '\n</think>\n';
		this.#tagOpen = opens;
		this.#add(tag + piece);
	}

	end(): void {
		this.#add(this.#separated ? this.#filter.end() : this.#tagOpen ? '\n</think>\n' : '');
		this.#context.stream('text', '', true);
	}

	#add(piece: string): void {
		if (piece !== '') {
			this.text += piece;
			this.#context.stream('text', piece, false);
		}
	}
}

async function messagesOf(context: Context): Promise<readonly ModelMessage[]> {
	const { settings, variables, services, run, signal, record } = context;
	const jinjaValues = inputValues(settings.prompt_config?.jinja2_variables ?? [], variables);
	const knowledge = contextText(context);
	const prompts = settings.prompt_template.map(({ role, text, jinja }): ModelMessage => {
		// replaced before the references, so that references within the context stay as they are
		const filled = jinja
			? jinja.render({ ...jinjaValues, context: knowledge })
			: text
					.split('{{#context#}}')
					.map(piece => resolveText(piece, variables))
					.join(knowledge);
		return { role, content: filled };
	});
	const query =
		settings.memory && run.chat ? resolveText(settings.memory.query_prompt_template || '{{#sys.query#}}', variables).trim() : '';
	const messages = [...prompts, ...remembered(settings.memory, run.chat), { role: 'user' as const, content: query }].filter(
		({ content }) => content !== '',
	);
	record.inputs = { ...jinjaValues, ...(knowledge && { '#context#': knowledge }), ...(query && { '#sys.query#': query }) };
	const { vision } = settings;
	const selector = vision?.enabled ? (vision.configs?.variable_selector ?? ['sys', 'files']) : undefined;
	const shown = withPictures(messages, selector ? await pictures(variables.get(selector), services.files, signal) : []);
	if (shown.length === 0) {
		throw new NodeError('The prompt is empty: every message of it is without text', 'NoPromptFoundError');
	}
	return shown;
}

function contextText({ settings: { context }, variables }: Context): string {
	const value = context?.enabled && context.variable_selector ? variables.get(context.variable_selector) : undefined;
	if (Array.isArray(value)) {
		return value
			.map(item => (typeof item === 'object' && item !== null && 'content' in item ? String(item.content) : plainText(item)))
			.join('\n');
	}
	return plainText(value);
}

function responseSchema({ settings }: Context): Pick<ModelRequest, 'responseSchema'> {
	const wanted = settings.structured_output_enabled ? settings.structured_output?.schema : undefined;
	return wanted ? { responseSchema: wanted } : {};
}

function structuredOutput({ settings }: Context, { text }: ModelReply): { structured_output?: unknown } {
	if (!settings.structured_output_enabled) {
		return {};
	}
	const found = jsonInReply(text);
	if (!found) {
		throw new NodeError(`The reply is not the JSON object that structured output asks for: ${text.slice(0, 200)}`, 'OutputParserError');
	}
	return { structured_output: found };
}

function promptText(content: ModelMessage['content']): string {
	return typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '[image]')).join('\n');
}
