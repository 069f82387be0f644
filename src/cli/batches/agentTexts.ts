import fs from 'node:fs/promises';
import type { AgentSummary } from '#contract/agents.ts';

/** What tells agents as they are now from those of another time: the texts of their files, else which version the service has. */
export async function agentTexts(agents: readonly AgentSummary[]): Promise<readonly unknown[]> {
	return Promise.all(
		agents.map(async ({ name, file, workflow_id }) => [
			name,
			(file && (await fs.readFile(file, 'utf8').catch(() => undefined))) || workflow_id,
		]),
	);
}
