import * as z from 'zod';
import { Jinja } from '../../jinja/jinja.ts';
import { buildContext, readCitations } from '../../knowledge/citations.ts';
import type { ModelMessage, ModelRequest } from '../../run/engineTypes.ts';
import { isObjectValue } from '../../variables/objectValue.ts';
import { createTextResolver, findSelectors, resolveText } from '../../variables/references.ts';
import { toPlainText } from '../../variables/textForms.ts';
import { TextLength } from '../../variables/textLength.ts';
import { readExactInputValues } from '../inputValues.ts';
import { MissingVariableError, NodeError } from '../nodeError.ts';
import { defineNodeType, type NodeContext } from '../nodeType.ts';
import { inputsSchema, selectorSchema, textSchema } from '../schemas.ts';
import { readCompletionParameters } from './completionParameters.ts';
import { memorySchema, modelSchema, visionSchema } from './modelSchemas.ts';
import { askModel, getReplyWarnings, sumUsageMetadata, toUsageOutput } from './modelText.ts';
import { addPictures, buildMemoryMessages, loadPictures } from './prompt.ts';
import { ReplyText } from './replyText.ts';
import { parseStructuredOutput } from './structuredOutput.ts';

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
	/** Name of the switch in newer files. */
	structured_output_switch_on: z.boolean().nullish(),
	structured_output: z.looseObject({ schema: z.record(z.string(), z.unknown()).nullish() }).nullish(),
	reasoning_format: z.enum(['separated', 'tagged']).nullish(),
});
type Context = NodeContext<z.output<typeof schema>>;

/** LLM node: asks a model of the gateway's routing table and streams its text. */
export const llm = defineNodeType({
	type: 'llm',
	schema,
	async run(context) {
		const { settings, record, services, signal } = context;
		checkReferences(context);
		const request: ModelRequest = {
			model: settings.model.name,
			messages: await buildMessages(context),
			...readCompletionParameters(settings.model.completion_params, context.variables),
			...getResponseSchema(context),
		};
		record.processData = {
			model_mode: settings.model.mode,
			model_provider: settings.model.provider,
			model_name: settings.model.name,
			prompts: request.messages.map(({ role, content }) => ({ role, text: getPromptText(content), files: [] })),
		};
		const text = new ReplyText(context, settings.reasoning_format === 'separated');
		const reply = await askModel(services.models, request, signal, part => {
			if (part.type === 'text' || part.type === 'reasoning') {
				text.push(part.type, part.text);
			}
		});
		text.endReply();
		const structured = request.responseSchema && {
			structured_output: await parseStructuredOutput(reply.text, request.responseSchema, signal),
		};
		const usage = toUsageOutput(reply);
		record.metadata = sumUsageMetadata(reply);
		record.processData = { ...record.processData, usage, finish_reason: reply.finishReason, ...getReplyWarnings(reply) };
		return {
			outputs: {
				text: text.text,
				reasoning_content: text.reasoning,
				usage,
				finish_reason: reply.finishReason,
				...structured,
				files: [],
			},
		};
	},
});

async function buildMessages(context: Context): Promise<readonly ModelMessage[]> {
	const { settings, variables, services, run, signal, record } = context;
	const jinjaValues = readExactInputValues(settings.prompt_config?.jinja2_variables ?? [], variables);
	const knowledge = resolveContext(context);
	const prompts: ModelMessage[] = [];
	const resolve = createTextResolver(variables);
	const length = new TextLength();
	for (const { role, text, jinja } of settings.prompt_template) {
		// the template is split at the context, because references within the context must stay unchanged
		const filled = jinja
			? await services.templates.render(jinja, { ...jinjaValues, context: knowledge }, signal)
			: text
					.split('{{#context#}}')
					.map((piece, index) => (index > 0 ? length.add(knowledge) : '') + resolve(piece))
					.join('');
		prompts.push({ role, content: jinja ? length.add(filled) : filled });
	}
	const query =
		settings.memory && run.chat ? resolveText(settings.memory.query_prompt_template || '{{#sys.query#}}', variables).trim() : '';
	const messages = [...prompts, ...buildMemoryMessages(settings.memory, run.chat), { role: 'user' as const, content: query }].filter(
		({ content }) => content !== '',
	);
	record.inputs = { ...jinjaValues, ...(knowledge && { '#context#': knowledge }), ...(query && { '#sys.query#': query }) };
	const { vision } = settings;
	const selector = vision?.enabled ? (vision.configs?.variable_selector ?? ['sys', 'files']) : undefined;
	const shown = addPictures(messages, selector ? await loadPictures(variables.get(selector), services.files, signal) : []);
	if (shown.length === 0) {
		throw new NodeError(
			'No prompt found in the LLM configuration. Please ensure a prompt is properly configured before proceeding.',
			'NoPromptFoundError',
		);
	}
	return shown;
}

function resolveContext({ settings: { context }, variables, addCitations }: Context): string {
	const value = context?.enabled && context.variable_selector ? variables.get(context.variable_selector) : undefined;
	if (Array.isArray(value)) {
		addCitations(readCitations(value));
		return buildContext(
			value.map(item => ({ content: isObjectValue(item) && 'content' in item ? String(item['content']) : toPlainText(item) })),
		);
	}
	return toPlainText(value);
}

function getResponseSchema({ settings }: Context): Pick<ModelRequest, 'responseSchema'> {
	if (!settings.structured_output_enabled && !settings.structured_output_switch_on) {
		return {};
	}
	const schema = settings.structured_output?.schema;
	if (!schema || Object.keys(schema).length === 0) {
		throw new NodeError('Please provide a valid structured output schema', 'LLMNodeError');
	}
	return { responseSchema: schema };
}

/** @throws {NodeError} for references to missing values; null counts as existing */
function checkReferences({ settings, variables }: Context): void {
	const inPrompt = settings.prompt_template
		.flatMap(({ text, jinja }) => (jinja ? [] : findSelectors(text.replaceAll('{{#context#}}', ''))))
		.find(selector => variables.get(selector) === undefined);
	const input = settings.prompt_config?.jinja2_variables.find(({ value_selector }) => variables.get(value_selector) === undefined);
	const missing = inPrompt ?? input?.value_selector;
	if (missing) {
		const name = inPrompt ? `#${inPrompt.join('.')}#` : input?.variable;
		throw new MissingVariableError(missing, `Variable ${name} not found`, 'VariableNotFoundError');
	}
}

function getPromptText(content: ModelMessage['content']): string {
	return typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '[image]')).join('\n');
}
