import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DebugBranch } from '#contract/debugging.ts';
import { createAgentTools } from '../../contract/agentsAsTools.ts';
import { closeDebugging, type DebuggedRun, type Stopped, startDebugging } from './debugFixture.ts';
import { createAgent, createLevels, runDebugNode } from './randomGraphFixture.ts';

/** What a client does at a stop: steps back so many times and forward again, then a step. `pick` chooses among the branches. */
const moves = fc.array(fc.record({ back: fc.nat(12), how: fc.constantFrom('over' as const, 'into' as const), pick: fc.nat(10) }), {
	minLength: 1,
	maxLength: 25,
});

describe('stepping back in random graphs', () => {
	after(closeDebugging);

	it('shows the same states on the way back and forward, and never runs a node', async () =>
		fc.assert(
			fc.asyncProperty(createLevels(2), moves, async (level, commands) => {
				const { agent, tools } = createAgent(level);
				const run = startDebugging(
					agent,
					{ stop_on_entry: true },
					{ execute: runDebugNode, settings: { maxSteps: 2_000 }, others: createAgentTools(tools) },
				);
				for (const { back, how, pick } of commands) {
					const stopped = await waitForIdleStop(run);
					if (!stopped) {
						break;
					}
					const present = await travel(run, stopped, back, pick);
					const { branches } = present;
					run.travel.stepBranch((branches[pick % branches.length] as DebugBranch).id, how);
				}
				if (await waitForIdleStop(run)) {
					run.travel.continueRun();
				}
				assert.ok(['succeeded', 'failed'].includes((await run.outcome).data.status));
			}),
			{ numRuns: 60 },
		)).timeout(120_000);
});

/** Waits until the run is stopped and no node is running. Resolves to `undefined` if the run ends. */
async function waitForIdleStop(run: DebuggedRun): Promise<Stopped | undefined> {
	for (;;) {
		const stopped = await run.stop().catch(() => undefined);
		if (!stopped || stopped.branches.every(({ state }) => state === 'standing')) {
			return stopped;
		}
	}
}

/** Steps back up to `back` times and forward as often. Checks that each state is the same both times. Resolves to the present. */
async function travel(run: DebuggedRun, stopped: Stopped, back: number, pick: number): Promise<Stopped> {
	const started = run.reported.filter(({ event }) => event === 'node_started').length;
	const seen: { readonly chosen: number; readonly state: unknown; readonly isInside: boolean; readonly branch: number }[] = [];
	let current = stopped;
	for (let at = 0; at < back; at++) {
		const standing = current.branches.filter(({ state }) => state === 'standing');
		const chosen =
			(pick % 2 === 0 ? standing.find(({ id }) => id === current.branch) : undefined) ?? standing[(pick + at) % standing.length];
		assert.ok(chosen);
		const state = describeState(run, current);
		try {
			run.travel.stepBack(chosen.id);
		} catch (error) {
			assert.match((error as Error).message, /start of the run/);
			break;
		}
		current = await run.stop();
		assert.ok(current.past);
		seen.push({ chosen: chosen.id, state, isInside: isInside(chosen, current), branch: current.branch });
	}
	for (const { chosen, state, isInside: goesInside, branch } of seen.reverse()) {
		run.travel.stepBranch(branch, goesInside ? 'into' : 'over');
		current = await run.stop();
		assert.equal(current.branch, chosen);
		assert.deepEqual(describeState(run, current), state);
	}
	assert.equal(current.past, undefined);
	assert.equal(run.reported.filter(({ event }) => event === 'node_started').length, started);
	return current;
}

/** True if a branch is inside the node that a step back from it has reached. */
function isInside(from: DebugBranch, { branch, branches }: Stopped): boolean {
	const node = branches.find(({ id, state }) => id === branch && state === 'standing')?.frames[0]?.node;
	return from.frames.slice(1).some(frame => frame.node !== undefined && frame.node === node);
}

/** Returns everything that a client can see at a stop. */
function describeState({ travel: { getBranch }, travel, inspection }: DebuggedRun, { branches, past }: Stopped) {
	const values = branches.map(({ id, frames }) =>
		frames.map((_, frame) => {
			const branch = getBranch.call(travel, id);
			const { scopes } = inspection.getScopes(branch, { command: 'scopes', branch: id, frame });
			return scopes.map(({ path }) => inspection.getVariables(branch, { command: 'variables', branch: id, frame, path }).variables);
		}),
	);
	return { branches: past ? branches : branches.map(({ restarts: _, ...branch }) => branch), past, values };
}
