import * as z from 'zod';
import type { ModelMessage } from '../../run/engineTypes.ts';
import { isObjectValue } from '../../variables/objectValue.ts';
import { createTextResolver, resolveText } from '../../variables/references.ts';
import { toPlainText } from '../../variables/textForms.ts';
import { NodeError } from '../nodeError.ts';
import { defineNodeType, type NodeContext } from '../nodeType.ts';
import { selectorSchema, textSchema } from '../schemas.ts';
import { readCompletionParameters } from './completionParameters.ts';
import { memorySchema, modelSchema, visionSchema } from './modelSchemas.ts';
import { askModel, getReplyWarnings, sumUsageMetadata, toUsageOutput } from './modelText.ts';
import { addPictures, buildMemoryMessages, loadPictures } from './prompt.ts';
import { findJsonBlock } from './replyJson.ts';
import { removeThoughts } from './thinking.ts';

const classSchema = z.looseObject({ id: z.coerce.string(), name: textSchema, label: z.string().nullish() });
type Class = z.output<typeof classSchema>;

const schema = z.looseObject({
	query_variable_selector: selectorSchema,
	model: modelSchema,
	classes: z.array(classSchema).min(1, { error: 'a classifier needs at least one class' }),
	instruction: textSchema,
	instructions: textSchema,
	memory: memorySchema,
	vision: visionSchema,
});
type Context = NodeContext<z.output<typeof schema>>;

/**
 * Question classifier node: asks a model which class a text belongs to, and takes its branch. If the reply names no class, the first one is
 * chosen. If it contains no JSON, the node fails (workflow DSL).
 */
export const questionClassifier = defineNodeType({
	type: 'question-classifier',
	schema,
	async run(context) {
		const { settings, record, services, signal, variables } = context;
		const query = variables.get(settings.query_variable_selector) ?? null;
		record.inputs = { query };
		const resolve = createTextResolver(variables);
		const classes = settings.classes.map(entry => ({ ...entry, name: resolve(entry.name) }));
		const messages = await buildMessages(context, classes, toPlainText(query));
		record.processData = { model_name: settings.model.name, prompts: messages };
		const reply = await askModel(
			services.models,
			{
				model: settings.model.name,
				messages,
				...readCompletionParameters(settings.model.completion_params, variables),
				responseSchema: buildClassSchema(classes),
			},
			signal,
		).catch(rethrowWithKnownType);
		const usage = toUsageOutput(reply);
		record.metadata = sumUsageMetadata(reply);
		record.processData = { ...record.processData, usage, finish_reason: reply.finishReason, reply: reply.text, ...getReplyWarnings(reply) };
		const chosen = findClass(reply.text, classes);
		return {
			outputs: { class_name: chosen.name, class_id: chosen.id, class_label: chosen.label, usage },
			handle: chosen.id,
		};
	},
});

interface Chosen {
	readonly id: string;
	readonly name: string;
	readonly label: string;
}

/** Rethrows an error, keeping its type only for known model errors (case x13). */
function rethrowWithKnownType(error: unknown): never {
	throw error instanceof NodeError && error.type === 'InvokeError'
		? new NodeError(error.message, 'WorkflowNodeError', { cause: error })
		: error;
}

async function buildMessages(context: Context, classes: readonly Class[], query: string): Promise<readonly ModelMessage[]> {
	const { settings, variables, services, run, signal } = context;
	const instruction = resolveText(settings.instruction || settings.instructions, variables);
	const system = [
		'Assign the text of the user to exactly one of these categories:',
		...classes.map(({ id, name }) => `- category_id ${JSON.stringify(id)}: ${name}`),
		'Reply with a JSON object and nothing else: {"category_id": "…", "category_name": "…"}.',
		...(instruction ? ['', instruction] : []),
	].join('\n');
	const { vision } = settings;
	const shown = vision?.enabled
		? await loadPictures(variables.get(vision.configs?.variable_selector ?? ['sys', 'files']), services.files, signal)
		: [];
	const messages: ModelMessage[] = [
		{ role: 'system', content: system },
		...buildMemoryMessages(settings.memory, run.chat),
		{ role: 'user', content: query || ' ' },
	];
	return addPictures(messages, shown);
}

function buildClassSchema(classes: readonly Class[]): Record<string, unknown> {
	return {
		type: 'object',
		properties: {
			category_id: { type: 'string', enum: classes.map(({ id }) => id) },
			category_name: { type: 'string', enum: classes.map(({ name }) => name) },
		},
		required: ['category_id', 'category_name'],
		additionalProperties: false,
	};
}

/**
 * Finds the class that a reply names by ID. Returns the first class if the reply lacks a key or names no class. @throws {NodeError} for a
 * reply without JSON
 */
function findClass(text: string, classes: readonly Class[]): Chosen {
	const found = findJsonBlock(text.includes('<think>') ? removeThoughts(text) : text);
	const complete = isObjectValue(found) && 'category_name' in found && 'category_id' in found;
	const index = complete ? classes.findIndex(({ id }) => id === found['category_id']) : 0;
	const { id, name, label } = classes[Math.max(0, index)] as Class;
	return { id, name, label: label || `CLASS ${Math.max(0, index) + 1}` };
}
