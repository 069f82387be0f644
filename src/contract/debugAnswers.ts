import * as z from 'zod';
import type { DebugCommand } from './debugging.ts';
import { createDebugModelCallSchema, type DebugModelCall } from './debugModelCalls.ts';
import { partialRunSchema } from './partialRun.ts';
import { createResultResponseSchema, type ResultResponse, valuePath } from './workflows.ts';

/** A value in a list of variables. `children` is its number of keys or items, 0 for plain values. */
const createDebugVariableSchema = () =>
	z.object({
		name: z.string(),
		/** The value in one line, cut if it's long. */
		text: z.string(),
		type: z.string(),
		children: z.int(),
		/** Path for requesting, changing and watching the value; absent if that isn't possible. */
		path: valuePath.exactOptional(),
		/** Name in references, such as `node.var`; absent if the value has none. */
		selector: z.string().exactOptional(),
		settable: z.boolean(),
		/** The whole string, if `text` cuts or quotes it: at most 100,000 characters; absent in lists if over 2,000. */
		value: z.string().exactOptional(),
	});
export type DebugVariable = z.infer<ReturnType<typeof createDebugVariableSchema>>;

const createDebugScopesSchema = () =>
	z.object({
		scopes: z.array(z.object({ name: z.string(), path: z.array(z.string()), children: z.int(), expensive: z.boolean().exactOptional() })),
	});
const createDebugVariablesSchema = () => z.object({ variables: z.array(createDebugVariableSchema()), total: z.int() });
const createDebugCompletionsSchema = () =>
	z.object({
		items: z.array(z.object({ label: z.string(), detail: z.string().exactOptional(), start: z.int(), length: z.int() })),
	});

const createDebugForkSchema = () => z.object({ part: partialRunSchema });

/** Responses by command. All other commands respond with `{result: "success"}`. */
export interface DebugAnswers {
	scopes: z.infer<ReturnType<typeof createDebugScopesSchema>>;
	variables: z.infer<ReturnType<typeof createDebugVariablesSchema>>;
	set_variable: DebugVariable;
	evaluate: DebugVariable;
	complete: z.infer<ReturnType<typeof createDebugCompletionsSchema>>;
	model_call: DebugModelCall;
	fork: z.infer<ReturnType<typeof createDebugForkSchema>>;
}

/** The response to one command. */
export type DebugAnswer<C extends DebugCommand> = C['command'] extends keyof DebugAnswers ? DebugAnswers[C['command']] : ResultResponse;

/** Response of a command. */
export const createDebugResponseSchema = () =>
	z.union([
		createResultResponseSchema(),
		createDebugScopesSchema(),
		createDebugVariablesSchema(),
		createDebugCompletionsSchema(),
		createDebugModelCallSchema(),
		createDebugForkSchema(),
		createDebugVariableSchema(),
	]);
