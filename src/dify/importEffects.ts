import { getField, getFieldText, getItems, toFields } from '#base/records/plainValues.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import type { AppContent } from './content/appContent.ts';
import { findChangedFields } from './content/fieldChanges.ts';
import { findNewerFields } from './newerFields.ts';
import type { SecretFate } from './sentText.ts';

/**
 * Effects of an import besides changing the draft.
 * - `renames`: changes name, description or icon for users immediately
 * - `site`: changes the live web app immediately
 * - `newer-fields`: Dify's release doesn't have these fields
 * - `draft-variables`: clears the values of draft variables
 * - `keeps-secret`: Dify keeps its value of the secret
 * - `loses-secret`: Dify's value of the secret is deleted
 * - `empty-secret`: Dify has no value for the secret, so it has to be set there
 * - `sends-secret`: the file has the secret's value in plain text, and it is sent
 * - `credentials`: the credentials of tools aren't imported
 * - `datasets`: the file refers to knowledge that the app doesn't use; references to another workspace's knowledge are lost
 * - `triggers`: URLs, subscriptions and schedules of triggers aren't in files
 */
type ImportEffectKind =
	| 'renames'
	| 'site'
	| 'newer-fields'
	| 'draft-variables'
	| 'keeps-secret'
	| 'loses-secret'
	| 'empty-secret'
	| 'sends-secret'
	| 'credentials'
	| 'datasets'
	| 'triggers';

export interface ImportEffect {
	readonly kind: ImportEffectKind;
	/** `warning`: something is lost, or users see it immediately. */
	readonly severity: 'warning' | 'info';
	/** Affected fields, variables or titles of nodes. Never a secret's value. */
	readonly names: readonly string[];
	readonly text: string;
}

/**
 * Lists the effects of importing a file, given the app's current state.
 * @param there the app in Dify; `undefined` for a new app
 * @param version Dify's release, such as `1.20.0`
 */
export function listImportEffects(
	here: AppContent,
	there: AppContent | undefined,
	secrets: readonly SecretFate[],
	version: string | undefined,
	t: Translate = fillPlaceholders,
): readonly ImportEffect[] {
	const effects: ImportEffect[] = [];
	const addEffect = (
		kind: ImportEffectKind,
		severity: ImportEffect['severity'],
		names: readonly string[],
		say: (names: string) => string,
	) => {
		if (names.length > 0) {
			// names come from files and are shown in a dialog, so keep each on one line
			effects.push({ kind, severity, names, text: say(names.map(toOneLine).join(', ')) });
		}
	};
	const listSecretsByFate = (fate: SecretFate['fate']) => secrets.filter(each => each.fate === fate).map(({ name }) => name);
	if (there) {
		const renamed = findChangedFields(there.rest.app, here.rest.app, '').map(({ path }) => path);
		addEffect('renames', 'warning', renamed, names => t('These will also change for users immediately: {0}.', names));
		// Dify leaves omitted fields unchanged
		const live = findChangedFields(toFields(there.rest.site), toFields(here.rest.site), '').filter(({ after }) => after !== undefined);
		addEffect(
			'site',
			'warning',
			live.map(({ path }) => path),
			names => t('The live web app will change as soon as you push, before you publish: {0}.', names),
		);
		effects.push({
			kind: 'draft-variables',
			severity: 'info',
			names: [],
			text: t('Variable values from draft runs will be cleared in Dify.'),
		});
	}
	addEffect('newer-fields', 'warning', findNewerFields(here, there, version), names =>
		t('Dify {0} may drop or reject features of later releases: {1}.', version ?? '', names),
	);
	addEffect('loses-secret', 'warning', listSecretsByFate('loses'), names =>
		t("These secrets aren't in the file and will be deleted in Dify: {0}.", names),
	);
	addEffect('sends-secret', 'warning', listSecretsByFate('sends'), names =>
		t('These secrets are in the file in plain text and will be sent: {0}.', names),
	);
	addEffect('empty-secret', 'warning', listSecretsByFate('empty'), names => t('These secrets are empty. Set them in Dify: {0}.', names));
	addEffect('keeps-secret', 'info', listSecretsByFate('keeps'), names => t('These secrets will keep their values in Dify: {0}.', names));
	const tools = findNodeTitles(here, node => ['tool', 'agent'].includes(getFieldText(getField(node, 'data'), 'type')));
	const credentials = findNodeTitles(here, node => hasCredential(getField(node, 'data')));
	if (credentials.length > 0) {
		addEffect('credentials', 'warning', credentials, names =>
			t("The credentials of these nodes won't be imported. Choose them in Dify: {0}.", names),
		);
	} else if (there) {
		addEffect('credentials', 'info', tools, names =>
			t("Files don't include tool credentials. These nodes will use the workspace's default: {0}.", names),
		);
	}
	const known = new Set([...(there?.nodes.values() ?? [])].flatMap(getDatasetIds));
	const foreign = findNodeTitles(here, node => getDatasetIds(node).some(id => !known.has(id)));
	addEffect('datasets', 'warning', foreign, names =>
		t('These nodes will lose their datasets if the datasets belong to another workspace: {0}.', names),
	);
	const triggers = findNodeTitles(here, node => getFieldText(getField(node, 'data'), 'type').startsWith('trigger-'));
	addEffect('triggers', 'warning', triggers, names =>
		t("Files don't include trigger URLs, subscriptions or schedules. Check these nodes in Dify: {0}.", names),
	);
	return effects;
}

function toOneLine(name: string): string {
	const line = name.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
	return line.length > 60 ? `${line.slice(0, 59).toWellFormed()}…` : line;
}

function findNodeTitles(app: AppContent, test: (node: unknown) => boolean): readonly string[] {
	return [...app.nodes].filter(([, node]) => test(node)).map(([id, node]) => getFieldText(getField(node, 'data'), 'title') || id);
}

function getDatasetIds(node: unknown): readonly string[] {
	return getItems(getField(node, 'data'), 'dataset_ids').map(String);
}

function hasCredential(value: unknown): boolean {
	if (Array.isArray(value)) {
		return value.some(hasCredential);
	}
	return Object.entries(toFields(value)).some(([name, each]) =>
		name === 'credential_id' ? typeof each === 'string' && each !== '' : hasCredential(each),
	);
}
