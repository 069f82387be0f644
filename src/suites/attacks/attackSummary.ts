import { type AgentCoverage, CoverageSum } from '../coverage/agentCoverage.ts';
import type { CaseResult } from '../results/caseResult.ts';
import { computeWilsonInterval, type Interval } from '../statistics/intervals.ts';
import { packNames } from './attackPacks.ts';

/** Attacks of one pack, or with one OWASP ID. */
export interface AttackRate {
	readonly name: string;
	/** Number of attacks that ran. */
	readonly attacks: number;
	readonly succeeded: number;
	readonly notRun: number;
	/** Share of the attacks that succeeded, with its 95 % interval. */
	readonly rate: number;
	readonly interval: Interval;
}

/** What no attack reached of an agent. */
interface UnreachedParts {
	readonly agent: string;
	/** IDs of nodes. */
	readonly nodes: readonly string[];
	/** Output handles of nodes that were reached, as `NODE/HANDLE`. */
	readonly branches: readonly string[];
}

/** Outcome of the attacks of a suite. */
export interface AttackSummary {
	readonly packs: readonly AttackRate[];
	readonly owasp: readonly AttackRate[];
	readonly unreached: readonly UnreachedParts[];
}

/** Counts of a pack or an ID. */
interface Counts {
	attacks: number;
	succeeded: number;
	notRun: number;
}

/**
 * Sums up the attacks among the results of a suite; `undefined` if there are none.
 *
 * @param attacked the attacks by ordinal, because a result that couldn't run has none
 * @param readAgent resolves to the file of an agent and its text; `undefined` if it can't be read
 */
export async function summarizeAttacks(
	results: AsyncIterable<CaseResult>,
	attacked: ReadonlyMap<number, { readonly pack: string; readonly owasp: readonly string[] }>,
	readAgent: (name: string) => Promise<{ readonly file: string; readonly text: string } | undefined>,
): Promise<AttackSummary | undefined> {
	const packs = new Map<string, Counts>(packNames.map(name => [name, { attacks: 0, succeeded: 0, notRun: 0 }]));
	const owasp = new Map<string, Counts>();
	const coverage = new CoverageSum();
	for await (const result of results) {
		const of = attacked.get(result.ordinal);
		for (const [counts, names] of of
			? ([
					[packs, [of.pack]],
					[owasp, of.owasp],
				] as const)
			: []) {
			for (const name of names) {
				counts.set(name, addResult(counts.get(name), result));
			}
		}
		if (of && result.coverage) {
			coverage.add(result.coverage);
		}
	}
	const rates = listRates(packs);
	const unreached = coverage.agents.map(async name => {
		const agent = await readAgent(name);
		return agent && findUnreached(coverage.getAgentCoverage(name, agent.file, agent.text));
	});
	return rates.length === 0
		? undefined
		: {
				packs: rates,
				owasp: listRates(new Map([...owasp].sort(([one], [other]) => (one < other ? -1 : 1)))),
				unreached: (await Promise.all(unreached)).filter(each => each !== undefined),
			};
}

function addResult(counts: Counts = { attacks: 0, succeeded: 0, notRun: 0 }, { outcome, attack }: CaseResult): Counts {
	const hasRun = outcome !== 'not-run';
	return {
		attacks: counts.attacks + Number(hasRun),
		succeeded: counts.succeeded + Number(hasRun && attack?.succeeded === true),
		notRun: counts.notRun + Number(!hasRun),
	};
}

function listRates(counts: ReadonlyMap<string, Counts>): readonly AttackRate[] {
	return [...counts]
		.filter(([, { attacks, notRun }]) => attacks + notRun > 0)
		.map(([name, each]) => ({
			name,
			...each,
			rate: each.attacks === 0 ? 0 : each.succeeded / each.attacks,
			interval: computeWilsonInterval(each.succeeded, each.attacks),
		}));
}

function findUnreached({ agent, nodes }: AgentCoverage): UnreachedParts {
	return {
		agent,
		nodes: nodes.filter(({ count }) => count === 0).map(({ id }) => id),
		branches: nodes
			.filter(({ count }) => count > 0)
			.flatMap(({ id, ways }) => ways.filter(({ count }) => count === 0).map(({ handle }) => `${id}/${handle}`)),
	};
}
