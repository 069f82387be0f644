import type { RunWithStory } from '../../runs/following/runReader.ts';

/** Describes a run for a model: status, outputs, and failed nodes with their inputs. */
export function describeRun({ record, story }: RunWithStory): object {
	const { runId, agent, status, error, outputs, elapsedSeconds, totalTokens, node, forms } = record;
	return {
		agent,
		...(runId !== undefined && { run: runId }),
		status,
		...(error && { error }),
		...(outputs && { outputs }),
		...(story.nodes.length > 0 && { failed_nodes: story.nodes }),
		...(story.more > 0 && { more_failed_nodes: story.more }),
		...(status === 'paused' && { waits_for: (forms ?? []).map(({ title }) => title) }),
		...(status === 'running' && node && { at_node: node.title }),
		...(elapsedSeconds !== undefined && { seconds: elapsedSeconds }),
		...(totalTokens ? { tokens: totalTokens } : {}),
	};
}
