import type { AgentOrder, AgentTool } from '../../agent/agentOrder.ts';
import { isObjectValue } from '../../variables/objectValue.ts';
import { resolveText } from '../../variables/references.ts';
import { toPlainText } from '../../variables/textForms.ts';
import { readCompletionParameters } from '../model/completionParameters.ts';
import { buildMemoryMessages } from '../model/prompt.ts';
import { NodeError } from '../nodeError.ts';
import type { NodeContext, NodeResult } from '../nodeType.ts';
import { type AgentPackage, listUnsupportedParts, parseAgentPackage } from './agentPackage.ts';
import { loadAgentTool } from './agentTools.ts';
import { type AgentContext, buildJsonOutput, createAgentWork, sumUsage } from './agentWork.ts';
import { requestDeclaredOutputs } from './declaredOutputs.ts';

/** Maximum rounds of an agent included in the file, which can't set a limit itself. */
const rounds = 10;

/** Runs an agent included in the file with a job (DSL additions, "agent", v2). */
export async function runPortableAgent(context: AgentContext): Promise<NodeResult> {
	const { settings, run, record } = context;
	const query = resolveJobPrompt(context);
	record.inputs = { query };
	const order = await createPortableOrder(
		context,
		settings.agent_binding?.package_ref ?? '',
		query,
		buildMemoryMessages(settings.memory, run.chat),
	);
	const declared = settings.agent_job?.declared_outputs ?? [];
	const result = await createAgentWork(context, order, declared.length === 0);
	record.metadata = { ...record.metadata, agent_log: result.logs };
	if (declared.length > 0) {
		return { outputs: await requestDeclaredOutputs(context, declared, order, result) };
	}
	return { outputs: { text: result.text, usage: sumUsage(result.replies), files: [], json: buildJsonOutput(context, result) } };
}

/**
 * Returns the task of an agent included in the file. Its unsupported parts are listed in the node's process data.
 * @param reference names its package
 * @throws {NodeError} if there is no such package, or it names no model
 */
export async function createPortableOrder(
	context: NodeContext<unknown>,
	reference: string,
	query: string,
	history: AgentOrder['history'],
): Promise<AgentOrder> {
	const { packages, record } = context;
	const value = Object.hasOwn(packages, reference) ? packages[reference] : undefined;
	const carried = parseAgentPackage(value);
	if (!carried) {
		throw new NodeError(
			`The agent '${reference}' isn't in the file. Expected it in agent_packages, as exported by Dify.`,
			'AgentPackageNotFoundError',
		);
	}
	const { tools, missing } = await findKnownTools(context, carried);
	const warnings = [...listUnsupportedParts(value).map(part => `${part} of the agent isn't available here`), ...missing];
	record.processData = { agent: carried.metadata?.name || reference, ...(warnings.length > 0 && { warnings }) };
	return {
		strategy: 'function_calling',
		...readModel(carried, reference),
		instruction: carried.soul.prompt?.system_prompt ?? '',
		history,
		query,
		tools,
		maxRounds: rounds,
		atLimit: 'ask-once-more',
	};
}

/** Returns the prompt for the agent: the job's text, and the outputs of other nodes attached to it. */
function resolveJobPrompt({ settings: { agent_job: job }, variables, run }: AgentContext): string {
	const prompt = resolveText(job?.workflow_prompt ?? '', variables) || run.chat?.query || '';
	const values = (job?.previous_node_output_refs ?? []).flatMap(reference => {
		const selector = readSelector(reference);
		const value = selector && variables.get(selector);
		return value === undefined ? [] : [`${selector?.join('.')}:\n${toPlainText(value)}`];
	});
	return [prompt, ...values].filter(text => text !== '').join('\n\n');
}

/** Returns the selector of a reference, which is a selector or an object that contains one. */
function readSelector(reference: unknown): readonly string[] | undefined {
	const list = isObjectValue(reference)
		? (['selector', 'value_selector', 'variable_selector'].map(key => reference[key]).find(Array.isArray) ?? [
				reference['node_id'],
				reference['output'] ?? reference['variable'] ?? reference['name'],
			])
		: reference;
	return Array.isArray(list) && list.length > 1 && list.every(part => typeof part === 'string') ? list : undefined;
}

/** Returns the available tools and skips the others, because deployments with different tools may share the agent. */
async function findKnownTools(
	context: NodeContext<unknown>,
	carried: AgentPackage,
): Promise<{ readonly tools: readonly AgentTool[]; readonly missing: readonly string[] }> {
	const { variables, services, run, signal, addCitations } = context;
	const wanted = (carried.soul.tools?.dify_tools ?? []).filter(({ enabled }) => enabled !== false);
	const found = await Promise.allSettled(wanted.map(tool => loadAgentTool(tool, variables, { services, run, signal, addCitations })));
	signal.throwIfAborted();
	// tools of different providers may have the same name
	const known = found.flatMap(end => (end.status === 'fulfilled' ? [end.value] : []));
	const tools = new Map(known.map(tool => [JSON.stringify([tool.provider, tool.name]), tool]));
	return { tools: [...tools.values()], missing: found.flatMap(end => (end.status === 'rejected' ? [(end.reason as Error).message] : [])) };
}

function readModel({ soul: { model } }: AgentPackage, reference: string): Pick<AgentOrder, 'model' | 'provider'> {
	if (!model?.model) {
		throw new NodeError(`The agent '${reference}' has no model. Expected soul.model.model in its package.`, 'AgentPackageError');
	}
	return { model: { model: model.model, ...readCompletionParameters(model.model_settings ?? {}) }, provider: model.model_provider };
}
