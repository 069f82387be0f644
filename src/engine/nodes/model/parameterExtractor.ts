import * as z from 'zod';
import type { ModelMessage } from '../../run/engineTypes.ts';
import { resolveText } from '../../variables/references.ts';
import { toPlainText } from '../../variables/textForms.ts';
import { NodeError } from '../nodeError.ts';
import { defineNodeType, type NodeContext } from '../nodeType.ts';
import { createListSchema, selectorSchema, textSchema } from '../schemas.ts';
import { readCompletionParameters } from './completionParameters.ts';
import { memorySchema, modelSchema, visionSchema } from './modelSchemas.ts';
import { askModel, getReplyWarnings, sumUsageMetadata, toUsageOutput } from './modelText.ts';
import { buildReplySchema, findExtractionFault, parameterSchema, toParameterValue } from './parameters.ts';
import { addPictures, buildMemoryMessages, loadPictures } from './prompt.ts';
import { findFirstObject } from './replyJson.ts';

const schema = z.looseObject({
	query: selectorSchema,
	model: modelSchema,
	parameters: createListSchema(parameterSchema),
	instruction: textSchema,
	reasoning_mode: z.string().nullish(),
	memory: memorySchema,
	vision: visionSchema,
});
type Context = NodeContext<z.output<typeof schema>>;

/**
 * Parameter extractor node: asks a model to find values in a text. If values are missing or have the wrong type, they are empty and
 * `__is_success` is 0, but the node doesn't fail.
 */
export const parameterExtractor = defineNodeType({
	type: 'parameter-extractor',
	schema,
	async run(context) {
		const { settings, record, services, signal, variables } = context;
		const query = variables.get(settings.query) ?? '';
		const instruction = resolveText(settings.instruction, variables);
		record.inputs = { query, parameters: settings.parameters, instruction };
		const messages = await buildMessages(context, instruction, toPlainText(query));
		record.processData = { model_name: settings.model.name, prompts: messages };
		const reply = await askModel(
			services.models,
			{
				model: settings.model.name,
				messages,
				...readCompletionParameters(settings.model.completion_params, variables),
				responseSchema: buildReplySchema(settings.parameters),
			},
			signal,
		).catch(rethrowWithoutType);
		const usage = toUsageOutput(reply);
		record.metadata = sumUsageMetadata(reply);
		record.processData = { ...record.processData, usage, finish_reason: reply.finishReason, reply: reply.text, ...getReplyWarnings(reply) };
		const reading = findFirstObject(reply.text);
		const found = reading && Object.keys(reading).length > 0 ? reading : undefined;
		// unreadable function arguments count as missing; text without an object gives empty values
		const isCall = settings.reasoning_mode === 'function_call' && reply.text.trimStart().startsWith('{');
		const fault = findExtractionFault(settings.parameters, found ?? (isCall ? {} : undefined));
		return {
			outputs: {
				__is_success: fault === null ? 1 : 0,
				__reason: fault,
				__usage: usage,
				...Object.fromEntries(settings.parameters.map(parameter => [parameter.name, toParameterValue(parameter, found?.[parameter.name])])),
			},
		};
	},
});

/** Rethrows an error without its type: the hosted service gives none to errors that this node reports itself. */
function rethrowWithoutType(error: unknown): never {
	throw error instanceof NodeError ? new NodeError(error.message, '', { cause: error }) : error;
}

async function buildMessages(context: Context, instruction: string, query: string): Promise<readonly ModelMessage[]> {
	const { settings, variables, services, run, signal } = context;
	const system = [
		'Extract these values from the text of the user. Reply with a JSON object of them and nothing else; leave out what the text does not say.',
		...settings.parameters.map(
			({ name, type, description, required, options }) =>
				`- ${JSON.stringify(name)} (${type}${required ? ', required' : ''}${options.length > 0 ? `, one of ${JSON.stringify(options)}` : ''}): ${description}`,
		),
		...(instruction ? ['', instruction] : []),
	].join('\n');
	const { vision } = settings;
	const shown = vision?.enabled
		? await loadPictures(variables.get(vision.configs?.variable_selector ?? ['sys', 'files']), services.files, signal)
		: [];
	return addPictures(
		[{ role: 'system', content: system }, ...buildMemoryMessages(settings.memory, run.chat), { role: 'user', content: query || ' ' }],
		shown,
	);
}
