import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import type { AppDifference, ChangeKind } from './differenceTypes.ts';

/** Maximum number of fields listed by name. Additional ones are only counted. */
const mostNamed = 4;

/** Returns a short summary, such as "3 nodes differ, 1 variable differs", "layout only" or "no differences". */
export function formatDifferenceSummary(
	{ isSame, nodes, edges, variables, app, features, other, layout }: AppDifference,
	t: Translate = fillPlaceholders,
): string {
	const formatCount = (items: readonly unknown[], one: string, many: string) =>
		items.length === 0 ? [] : [items.length === 1 ? one : many];
	const words = [
		...formatCount(nodes, t('1 node differs'), t('{0} nodes differ', nodes.length)),
		...formatCount(edges, t('1 edge differs'), t('{0} edges differ', edges.length)),
		...formatCount(variables, t('1 variable differs'), t('{0} variables differ', variables.length)),
		...(app.length > 0
			? [
					t(
						'app settings differ: {0}',
						joinFieldNames(
							app.map(({ path }) => path.replace(/^app\./, '')),
							t,
						),
					),
				]
			: []),
		...formatCount(features, t('1 feature differs'), t('{0} features differ', features.length)),
		...formatCount(other, t('1 setting differs'), t('{0} settings differ', other.length)),
	];
	if (words.length > 0) {
		return words.join(', ');
	}
	return isSame ? (layout ? t('layout only') : t('no differences')) : t('the graph differs');
}

/**
 * Returns one line per difference, starting with `+` if added, `-` if removed, `~` if changed. The lines contain no values, and so no
 * secrets.
 */
export function formatDifferenceLines(
	{ nodes, edges, variables, app, features, other, layout }: AppDifference,
	t: Translate = fillPlaceholders,
): readonly string[] {
	const listFields = (fields: readonly string[]) => (fields.length === 0 ? '' : `: ${joinFieldNames(fields, t)}`);
	return [
		...app.map(({ path }) => `~ ${path}`),
		...nodes.map(({ kind, id, title, type, fields }) => {
			const name = title === id ? title : `${title} (${id})`;
			return `${signs[kind]} ${t("node '{0}' ({1})", name, type)}${listFields(fields)}`;
		}),
		...edges.map(({ kind, sourceTitle, handle, targetTitle }) =>
			handle === 'source'
				? `${signs[kind]} ${t("edge '{0}' → '{1}'", sourceTitle, targetTitle)}`
				: `${signs[kind]} ${t("edge '{0}' ({1}) → '{2}'", sourceTitle, handle, targetTitle)}`,
		),
		...variables.map(({ kind, of, name, fields }) => {
			const what = of === 'environment' ? t("environment variable '{0}'", name) : t("conversation variable '{0}'", name);
			return `${signs[kind]} ${what}${listFields(fields)}`;
		}),
		...[...features, ...other].map(({ path, before, after }) => `${before === undefined ? '+' : after === undefined ? '-' : '~'} ${path}`),
		...(layout ? [`~ ${t('layout')}`] : []),
	];
}

const signs: Readonly<Record<ChangeKind, string>> = { added: '+', removed: '-', changed: '~' };

function joinFieldNames(names: readonly string[], t: Translate): string {
	return names.length > mostNamed
		? t('{0} and {1} more', names.slice(0, mostNamed).join(', '), names.length - mostNamed)
		: names.join(', ');
}
