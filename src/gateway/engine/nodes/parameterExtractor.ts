import * as z from 'zod';
import type { ModelMessage } from '../engineTypes.ts';
import { askModel, completionParameters, usageMetadata, usageOutput } from '../modelText.ts';
import { emptyParameter, type Parameter, parameterSchema, parameterValue, replySchema } from '../parameters.ts';
import { pictures, remembered, withPictures } from '../prompt.ts';
import { pythonRepr } from '../pythonText.ts';
import { resolveText } from '../references.ts';
import { jsonInReply } from '../replyJson.ts';
import { plainText } from '../textForms.ts';
import { memorySchema, modelSchema, visionSchema } from './modelSchemas.ts';
import { type NodeContext, NodeError, nodeType } from './nodeType.ts';
import { listOf, selectorSchema, textSchema } from './schemas.ts';

const schema = z.looseObject({
	query: selectorSchema,
	model: modelSchema,
	parameters: listOf(parameterSchema),
	instruction: textSchema,
	memory: memorySchema,
	vision: visionSchema,
});
type Context = NodeContext<z.output<typeof schema>>;

/** Asks a model for values in a text. What it does not find is empty, and `__is_success` is 0; the node does not fail (workflow DSL). */
export const parameterExtractor = nodeType({
	type: 'parameter-extractor',
	schema,
	async run(context) {
		const { settings, record, services, signal, variables } = context;
		const query = variables.get(settings.query);
		if (query === undefined) {
			throw new NodeError(`Variable ${pythonRepr(settings.query)} not found`, 'InvalidVariableTypeError');
		}
		const instruction = resolveText(settings.instruction, variables);
		record.inputs = { query, parameters: settings.parameters, instruction };
		const messages = await messagesOf(context, instruction, plainText(query));
		record.processData = { model_name: settings.model.name, prompts: messages };
		const reply = await askModel(
			services.models,
			{
				model: settings.model.name,
				messages,
				...completionParameters(settings.model.completion_params),
				responseSchema: replySchema(settings.parameters),
			},
			signal,
		);
		const usage = usageOutput(reply);
		record.metadata = usageMetadata(reply);
		record.processData = { ...record.processData, usage, finish_reason: reply.finishReason, reply: reply.text };
		const found = jsonInReply(reply.text);
		const values = settings.parameters.map(parameter => [parameter.name, parameterValue(parameter, found?.[parameter.name])] as const);
		const reason = failure(settings.parameters, new Map(values), found !== undefined);
		return {
			outputs: {
				__is_success: reason === null ? 1 : 0,
				__reason: reason,
				__usage: usage,
				...Object.fromEntries(
					values.map(([name, value], index) => [name, value ?? emptyParameter(settings.parameters[index] as Parameter)]),
				),
			},
		};
	},
});

function failure(parameters: readonly Parameter[], values: ReadonlyMap<string, unknown>, replied: boolean): string | null {
	if (!replied) {
		return 'The model gave no JSON object';
	}
	const missing = parameters.filter(({ name, required }) => required && values.get(name) === undefined).map(({ name }) => name);
	return missing.length > 0 ? `Not found in the text: ${missing.join(', ')}` : null;
}

async function messagesOf(context: Context, instruction: string, query: string): Promise<readonly ModelMessage[]> {
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
		? await pictures(variables.get(vision.configs?.variable_selector ?? ['sys', 'files']), services.files, signal)
		: [];
	return withPictures(
		[{ role: 'system', content: system }, ...remembered(settings.memory, run.chat), { role: 'user', content: query || ' ' }],
		shown,
	);
}
