import type { AgentTool } from '../../agent/agentOrder.ts';
import type { EngineTool, ToolContext } from '../../tools/engineTool.ts';
import { findTool } from '../../tools/findTool.ts';
import { isObjectValue } from '../../variables/objectValue.ts';
import { createTextResolver, type TextResolver } from '../../variables/references.ts';
import type { VariablePool } from '../../variables/variables.ts';
import { MissingVariableError, NodeError } from '../nodeError.ts';
import type { AgentToolSettings } from './agentSchema.ts';

/**
 * Resolves the tools of an agent. Parameters set in the agent file are hidden from the model.
 * @throws {NodeError} for a missing tool; the message says what would provide it
 */
export function loadAgentTools(
	tools: readonly AgentToolSettings[],
	variables: VariablePool,
	context: ToolContext,
): Promise<readonly AgentTool[]> {
	return Promise.all(tools.map(tool => loadAgentTool(tool, variables, context)));
}

/** Resolves one tool. @throws {NodeError} if the tool, or a variable used for its parameters, doesn't exist */
export async function loadAgentTool(settings: AgentToolSettings, variables: VariablePool, context: ToolContext): Promise<AgentTool> {
	const { type, provider_type, provider_name, provider_id, tool_name: name, tool_label: label, extra } = settings;
	const found = await findTool(
		{ type: type || provider_type, providers: [provider_name, provider_id], name, label },
		context.services,
	).catch((error: unknown) => {
		throw error instanceof NodeError ? error : new NodeError((error as Error).message, 'ToolInvokeError', { cause: error });
	});
	const fixed = resolveFixedParameters(settings, variables);
	const completeParameters = (given: Readonly<Record<string, unknown>>) => ({ ...given, ...fixed });
	return {
		name: found.name,
		provider: found.provider,
		description: extra?.description || found.description,
		parameters: hideFixedParameters(found, fixed),
		completeParameters,
		callTool: async (parameters, signal) => found.use(parameters, { ...context, signal }),
	};
}

/** Returns the values of settings, and of parameters that the model may not choose (`auto: 0`). */
function resolveFixedParameters({ settings, parameters }: AgentToolSettings, variables: VariablePool): Readonly<Record<string, unknown>> {
	const chosen = Object.entries(parameters ?? {}).filter(
		([, parameter]) => !isObjectValue(parameter) || !('auto' in parameter) || parameter['auto'] === 0,
	);
	const resolve = createTextResolver(variables);
	const given = [...chosen, ...Object.entries(settings ?? {})].map(([name, entry]) => {
		const value = isObjectValue(entry) && 'value' in entry ? entry['value'] : entry;
		return [name, resolveFixedValue(value, variables, resolve)] as const;
	});
	return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null && value !== ''));
}

function resolveFixedValue(value: unknown, variables: VariablePool, resolve: TextResolver): unknown {
	if (!isObjectValue(value) || !('type' in value)) {
		return typeof value === 'string' ? resolve(value) : value;
	}
	const { type, value: held } = value;
	if (type !== 'variable' || !Array.isArray(held)) {
		return typeof held === 'string' ? resolve(held) : held;
	}
	const found = variables.get(held.map(String));
	if (found === undefined) {
		throw new MissingVariableError(held, `Variable ${held.join('.')} not found`, 'VariableNotFoundError');
	}
	return found;
}

function hideFixedParameters({ parameters }: EngineTool, fixed: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	const { properties, required } = parameters;
	const isOpenParameter = (name: string) => !Object.hasOwn(fixed, name);
	return {
		...parameters,
		...(isObjectValue(properties) && {
			properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isOpenParameter(name))),
		}),
		...(Array.isArray(required) && { required: required.map(String).filter(isOpenParameter) }),
	};
}
