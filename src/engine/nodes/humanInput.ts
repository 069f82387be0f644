import * as z from 'zod';
import { timeoutHandle } from '#agentFile/nodeKinds/nodeKind.ts';
import type { FormInput } from '#contract/humanInput.ts';
import { inputPlacePattern } from '#contract/inputPlaces.ts';
import type { FileObject } from '#contract/workflows.ts';
import { getTimeMs } from '../run/engineTypes.ts';
import type { FormAnswer, HumanForm } from '../run/pausedRun.ts';
import { createRunFile, createRunFiles } from '../run/runFiles.ts';
import { isFileValue } from '../variables/fileValue.ts';
import { resolveText } from '../variables/references.ts';
import { toMarkdownText } from '../variables/textForms.ts';
import { TextLength } from '../variables/textLength.ts';
import { NodeWeight } from '../variables/weight.ts';
import { NodeError } from './nodeError.ts';
import { defineNodeType, type NodeContext, type NodeResult } from './nodeType.ts';
import { createListSchema, selectorSchema, textSchema } from './schemas.ts';

const sourceSchema = z.looseObject({ type: z.string(), selector: selectorSchema.nullish(), value: z.unknown().optional() });
const inputSchema = z.looseObject({
	type: z.string(),
	output_variable_name: z.string(),
	default: sourceSchema.nullish(),
	option_source: sourceSchema.nullish(),
});

const schema = z.looseObject({
	form_content: textSchema,
	inputs: createListSchema(inputSchema),
	user_actions: createListSchema(
		z.looseObject({
			id: z.string(),
			title: textSchema,
			button_style: z
				.string()
				.nullish()
				.transform(style => style ?? 'default'),
		}),
	),
	timeout: z
		.number()
		.nullish()
		.transform(timeout => timeout ?? 3),
	timeout_unit: z
		.enum(['hour', 'day'])
		.nullish()
		.transform(unit => unit ?? 'day'),
	delivery_methods: createListSchema(z.looseObject({ type: z.string(), enabled: z.boolean().nullish() })),
});
type Settings = z.output<typeof schema>;
type Context = NodeContext<Settings>;

const secondsIn = { hour: 3600, day: 86_400 };
/** Largest time of a JavaScript date, in seconds since 1970. */
const lastSecond = 8_640_000_000_000;

/** Human input node: pauses the run until a person submits a form; the chosen action is the output handle. */
export const humanInput = defineNodeType({
	type: 'human-input',
	schema,
	run(context) {
		const { run, node, answer, outermost } = context;
		if (!run.mayPause) {
			throw new NodeError(
				run.depth
					? "An agent that is used as a tool can't wait for human input. Ask for it in the agent that uses the tool."
					: `Nodes of type '${node.type}' aren't available here. Run the agent on its Dify server.`,
				'HumanInputNodeError',
			);
		}
		if (!outermost) {
			throw new NodeError("A form inside an iteration or loop isn't supported. Move it outside.", 'HumanInputNodeError');
		}
		return answer ? applyAnswer(context, answer) : { outputs: {}, form: buildForm(context) };
	},
});

function buildForm(context: Context): HumanForm {
	const { settings, variables, services } = context;
	const weight = new NodeWeight();
	const defaults = settings.inputs.flatMap(({ output_variable_name: name, default: value }) => {
		const found = value?.type === 'variable' ? variables.get(value.selector ?? []) : undefined;
		return found === undefined ? [] : [[name, found] as const];
	});
	return {
		content: resolveContent(context),
		inputs: settings.inputs.map(input => resolveOptions(input, variables, weight)) as FormInput[],
		actions: settings.user_actions,
		defaults: Object.fromEntries(defaults),
		shown: settings.delivery_methods.some(({ type, enabled }) => type === 'webapp' && enabled !== false),
		expires: Math.min(Math.floor(getTimeMs(services) / 1000 + settings.timeout * secondsIn[settings.timeout_unit]), lastSecond),
	};
}

/** Replaces options taken from a variable with its current value. Several inputs can name one long list, which is copied for each. */
function resolveOptions(
	input: z.output<typeof inputSchema>,
	variables: Context['variables'],
	weight: NodeWeight,
): z.output<typeof inputSchema> {
	const source = input.option_source;
	if (source?.type !== 'variable') {
		return input;
	}
	const found = variables.get(source.selector ?? []);
	weight.add(found);
	return { ...input, option_source: { ...source, value: Array.isArray(found) ? found.map(String) : [] } };
}

function resolveContent({ settings, variables }: Context): string {
	return resolveText(settings.form_content, variables, toMarkdownText);
}

/** @throws {NodeError} if the form has no such action */
function applyAnswer(context: Context, answer: FormAnswer): NodeResult {
	const { settings, record } = context;
	const content = resolveContent(context);
	if ('timeout' in answer) {
		return { outputs: { __action_id: '', __action_value: '', __rendered_content: content }, handle: timeoutHandle };
	}
	const action = settings.user_actions.find(({ id }) => id === answer.action);
	if (!action) {
		const known = settings.user_actions.map(({ id }) => `'${id}'`).join(', ');
		throw new NodeError(`The form has no action '${answer.action}'. Expected one of ${known}.`, 'HumanInputNodeError');
	}
	const inputs: Record<string, unknown> = Object.fromEntries(
		settings.inputs.map(({ type, output_variable_name: name }) => [
			name,
			toInputValue(type, Object.hasOwn(answer.inputs, name) ? answer.inputs[name] : undefined, context),
		]),
	);
	record.inputs = inputs;
	const length = new TextLength();
	const rendered = content.replace(inputPlacePattern, (place, name: string) =>
		length.add(Object.hasOwn(inputs, name) ? formatInput(inputs[name]) : place),
	);
	return {
		outputs: { ...inputs, __action_id: action.id, __action_value: action.title, __rendered_content: rendered },
		handle: action.id,
	};
}

/** Converts file objects to the values that nodes see. */
function toInputValue(type: string, given: unknown, { services }: Context): unknown {
	const value = given ?? '';
	if (type === 'file' && typeof value === 'object') {
		return createRunFile(value as FileObject, services);
	}
	if (type === 'file-list' && Array.isArray(value)) {
		return createRunFiles(value as FileObject[], services);
	}
	return value;
}

function formatInput(value: unknown): string {
	if (isFileValue(value)) {
		return '[file]';
	}
	if (Array.isArray(value) && value.length > 0 && value.every(isFileValue)) {
		return `[${value.length} files]`;
	}
	return typeof value === 'string' ? value : JSON.stringify(value);
}
