import * as z from 'zod';
import { CodeFailure } from '#base/sandbox/codeFailure.ts';
import { type CodeOutput, checkOutputs } from '../code/outputs.ts';
import type { PythonRunner } from '../code/pythonRunner.ts';
import { readInputValues } from './inputValues.ts';
import { NodeError } from './nodeError.ts';
import { defineNodeType, type NodeContext, type NodeResult } from './nodeType.ts';
import { inputsSchema, textSchema } from './schemas.ts';

const outputSchema: z.ZodType<CodeOutput> = z.lazy(() =>
	z.looseObject({ type: z.string(), children: z.record(z.string(), outputSchema).nullish() }),
);

const schema = z.looseObject({
	code_language: z
		.string()
		.nullish()
		.transform(language => language ?? 'python3'),
	code: textSchema,
	variables: inputsSchema,
	outputs: z
		.record(z.string(), outputSchema)
		.nullish()
		.transform(outputs => outputs ?? {}),
});
export type CodeSettings = z.output<typeof schema>;

/** Code node: runs JavaScript in a sandbox, or Python if the gateway's user has enabled it. */
export const code = defineNodeType({ type: 'code', schema, run: context => runCode(context, runInNodeLanguage) });

/** Runs a program and returns the result of its `main`. @throws {NodeError} */
type RunProgram = (context: NodeContext<CodeSettings>, inputs: Readonly<Record<string, unknown>>) => Promise<unknown> | unknown;

/** Runs a code node with the given program runner, so that tests can replay recorded calls. */
export function runCode(context: NodeContext<CodeSettings>, runProgram: RunProgram): NodeResult | Promise<NodeResult> {
	const inputs = readInputValues(context.settings.variables, context.variables);
	context.record.inputs = inputs;
	const toNodeResult = (result: unknown): NodeResult => ({ outputs: checkOutputs(result, context.settings.outputs) });
	const result = runProgram(context, inputs);
	return result instanceof Promise ? result.then(toNodeResult) : toNodeResult(result);
}

async function runInNodeLanguage(
	{ settings, services, signal }: NodeContext<CodeSettings>,
	inputs: Readonly<Record<string, unknown>>,
): Promise<unknown> {
	try {
		switch (settings.code_language) {
			case 'javascript':
				return await services.code.run(settings.code, inputs, signal, services.fixed);
			case 'python3':
				return await requirePython(services.python).run(settings.code, inputs, signal);
			default:
				throw new CodeFailure(`'${settings.code_language}' isn't a supported code language. Expected javascript or python3.`);
		}
	} catch (error) {
		throw error instanceof CodeFailure ? new NodeError(error.message, 'CodeExecutionError', { cause: error }) : error;
	}
}

function requirePython(python: Pick<PythonRunner, 'run'> | undefined): Pick<PythonRunner, 'run'> {
	if (!python) {
		throw new CodeFailure("Python code is turned off. Set 'python' in the gateway's configuration to the path of a Python program.");
	}
	return python;
}
