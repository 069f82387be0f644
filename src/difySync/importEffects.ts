/**
 * What an import does besides changing the draft, as data; `text` is the sentence.
 * - `renames`: name, description or icon change for users at once
 * - `draft-variables`: values of draft variables are cleared
 * - `keeps-secret`: the deployment keeps the secret that it has
 * - `loses-secret`: the deployment has a value for it and will not have it any more
 * - `empty-secret`: a secret that the deployment has no value for: somebody has to fill it in there
 * - `sends-secret`: the file has a secret's value in plain text, and it is sent
 * - `credentials`: a tool's credential that the file names is not taken
 * - `datasets`: knowledge that the file names and the app there does not have: where it is another workspace's it vanishes
 * - `webhooks`: a webhook's address is made anew there
 */
export type ImportEffectKind =
	| 'renames'
	| 'draft-variables'
	| 'keeps-secret'
	| 'loses-secret'
	| 'empty-secret'
	| 'sends-secret'
	| 'credentials'
	| 'datasets'
	| 'webhooks';

export interface ImportEffect {
	readonly kind: ImportEffectKind;
	/** Whether something is lost, or shown to users: worth a question. */
	readonly severity: 'warning' | 'info';
	/** What it is about: names of fields, variables, nodes. Never a secret's value. */
	readonly names: readonly string[];
	/** One sentence. */
	readonly text: string;
}
