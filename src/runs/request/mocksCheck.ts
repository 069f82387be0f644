import type { AgentGraph } from '#agentFile/agentGraph.ts';
import { createLimitedNameFinder, joinNames } from '#base/text/closestNames.ts';
import type { Translate } from '#base/text/localization.ts';
import { findProperty, getNameRange, getValueRange, listProperties, type TextFault } from '#base/text/textFaults.ts';
import type { ParsedRunFile } from './runFileParse.ts';

/** Maximum number of nodes listed in a message. */
const mostListed = 8;

/** Target of a run file, for checking its `mocks`. */
interface MocksTarget {
	/** Name of the connection, for messages. */
	readonly connection: string;
	/** True for the built-in gateway, the only service that accepts mocks. */
	readonly builtIn: boolean;
	/** The agent's graph; if absent, its nodes aren't checked. */
	readonly graph: AgentGraph | undefined;
}

/** Checks the `mocks` of a run file: only the built-in gateway accepts them, and only for existing nodes. */
export function checkMocks({ root, agent }: ParsedRunFile, { connection, builtIn, graph }: MocksTarget, t: Translate): TextFault[] {
	const mocks = findProperty(root, 'mocks');
	const named = listProperties(mocks);
	if (!mocks || named.length === 0) {
		return [];
	}
	if (!builtIn) {
		const message = t(
			"'mocks' only work with the built-in gateway, but this file is sent to '{0}'. Remove them, or choose the built-in gateway.",
			connection,
		);
		return [{ code: 'mocks-elsewhere', severity: 'error', path: ['mocks'], ...getNameRange(mocks), message }];
	}
	const ids = graph?.nodes.map(({ id }) => id);
	const known = new Set(ids);
	const suggest = createLimitedNameFinder();
	return named.flatMap(({ name, nameNode }): TextFault[] => {
		if (!ids || known.has(name)) {
			return [];
		}
		const message = t("'mocks.{0}' isn't a node of '{1}'. Expected one of {2}.", name, agent ?? '', joinNames(ids, mostListed));
		return [
			{
				code: 'unknown-node',
				severity: 'error',
				path: ['mocks', name],
				...getValueRange(nameNode),
				message,
				suggestions: suggest(name, ids),
			},
		];
	});
}
