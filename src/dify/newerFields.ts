import { getField, getFieldText, toFields } from '#base/records/plainValues.ts';
import { isAtLeast, parseRelease } from '#contract/dify/releaseNumbers.ts';
import type { AppContent } from './content/appContent.ts';

/** Features of node data, and the release of Dify that introduced each. */
const newerNodes: readonly { readonly what: string; readonly since: string; readonly is: (type: string, data: unknown) => boolean }[] = [
	{ what: 'trigger', since: '1.10.0', is: type => type.startsWith('trigger-') },
	{ what: 'human-input', since: '1.13.0', is: type => type === 'human-input' },
	{ what: 'agent_job', since: '1.16.0', is: (_, data) => getField(data, 'agent_job') !== undefined },
	{ what: 'output_routes', since: '1.18.0', is: (_, data) => getField(getField(data, 'agent_job'), 'output_routes') !== undefined },
	{ what: 'knowledge-retrieval-v2', since: '1.18.0', is: type => type === 'knowledge-retrieval-v2' },
	{ what: 'human-input v2', since: '1.20.0', is: (type, data) => type === 'human-input' && getFieldText(data, 'version') === '2' },
];

/**
 * Returns the features of a file that Dify's release doesn't support, except those that the app in Dify already uses. The format version
 * doesn't help, because it's the same from 1.16 to 1.20. Empty if the release is unknown.
 */
export function findNewerFields(here: AppContent, there: AppContent | undefined, version: string | undefined): readonly string[] {
	if (parseRelease(version) === undefined) {
		return [];
	}
	const site = hasSite(here) && !(there && hasSite(there)) && !isAtLeast(version, '1.18.0') ? ['site (1.18)'] : [];
	const nodes = [...here.nodes].flatMap(([id, node]) => {
		const data = getField(node, 'data');
		const { what, since } = newerNodes.findLast(each => !isAtLeast(version, each.since) && each.is(getFieldText(data, 'type'), data)) ?? {};
		return what === undefined ? [] : [`${getFieldText(data, 'title') || id}: ${what} (${since?.replace(/\.0$/, '')})`];
	});
	return [...site, ...nodes];
}

function hasSite({ rest }: AppContent): boolean {
	return Object.keys(toFields(rest.site)).length > 0;
}
