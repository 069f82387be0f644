import { fieldOf, fieldsOf, textOf } from '#base/records/plainValues.ts';
import { isAtLeast, partsOf } from '#contract/dify/releaseNumbers.ts';
import type { AppContent } from './content/appContent.ts';

/** Data of nodes that a release of Dify brought. */
const newerNodes: readonly { readonly what: string; readonly since: string; readonly is: (type: string, data: unknown) => boolean }[] = [
	{ what: 'trigger', since: '1.10.0', is: type => type.startsWith('trigger-') },
	{ what: 'human-input', since: '1.13.0', is: type => type === 'human-input' },
	{ what: 'agent_job', since: '1.16.0', is: (_, data) => fieldOf(data, 'agent_job') !== undefined },
	{ what: 'output_routes', since: '1.18.0', is: (_, data) => fieldOf(fieldOf(data, 'agent_job'), 'output_routes') !== undefined },
	{ what: 'knowledge-retrieval-v2', since: '1.18.0', is: type => type === 'knowledge-retrieval-v2' },
	{ what: 'human-input v2', since: '1.20.0', is: (type, data) => type === 'human-input' && textOf(data, 'version') === '2' },
];

/**
 * Names what a file has and the release of its deployment doesn't: the format's version doesn't say so, because it is the same from 1.16 to 1.20. What the
 * app there has already is known to it. Empty if the release isn't known.
 */
export function newerFields(here: AppContent, there: AppContent | undefined, version: string | undefined): readonly string[] {
	if (partsOf(version) === undefined) {
		return [];
	}
	const site = hasSite(here) && !(there && hasSite(there)) && !isAtLeast(version, '1.18.0') ? ['site (1.18)'] : [];
	const nodes = [...here.nodes].flatMap(([id, node]) => {
		const data = fieldOf(node, 'data');
		const { what, since } = newerNodes.findLast(each => !isAtLeast(version, each.since) && each.is(textOf(data, 'type'), data)) ?? {};
		return what === undefined ? [] : [`${textOf(data, 'title') || id}: ${what} (${since?.replace(/\.0$/, '')})`];
	});
	return [...site, ...nodes];
}

function hasSite({ rest }: AppContent): boolean {
	return Object.keys(fieldsOf(rest.site)).length > 0;
}
