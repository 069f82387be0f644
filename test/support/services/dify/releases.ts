/** What differs between Dify's releases, as far as management goes. */
export interface Release {
	readonly version: string;
	/** Paths of `/openapi/v1`; `undefined`: it does not exist. */
	readonly openapi: OpenapiGeneration | undefined;
	/** Version of the file format that it writes. */
	readonly dsl: string;
	/** How its console signs people in: tokens in the answer, cookies, or cookies and the password in base64. */
	readonly login: 'bearer' | 'cookies' | 'base64';
	/** Whether the console restores versions. */
	readonly restores: boolean;
	/** Whether nodes of people exist, that pause a run. */
	readonly pauses: boolean;
	/** Status of `draft_workflow_not_sync` (400 in the sources up to 1.11, 409 from the change of 2026-01-24 on). */
	readonly notSync: 400 | 409;
	/** Whether an import that fails half way leaves what it had done, as the console did before it rolled that back. */
	readonly commitsHalf: boolean;
	/** Whether files say the kind of an app's icon. */
	readonly iconType: boolean;
	/** Whether `ADMIN_API_KEY` spares its owner the CSRF token. */
	readonly adminWithoutCsrf: boolean;
	/** Whether the console exports packages unless it is asked for YAML. */
	readonly packages: boolean;
	/** Whether files have the settings of the web app, which an import changes at once. */
	readonly site: boolean;
	/** Whether a draft is saved with a patch of its environment variables, and refused with fields that are not known. */
	readonly strictDraft: boolean;
}

export type OpenapiGeneration = '1.15' | '1.16' | '1.18';

/** Facts of a release by its number, as in `1.13.3`. */
export function releaseOf(version: string): Release {
	const from = (release: string) => compareVersions(version, release) >= 0;
	return {
		version,
		openapi: from('1.18.0') ? '1.18' : from('1.16.0') ? '1.16' : from('1.15.0') ? '1.15' : undefined,
		dsl: from('1.16.0') ? '0.7.0' : from('1.13.0') ? '0.6.0' : from('1.10.0') ? '0.5.0' : '0.4.0',
		login: from('1.11.2') ? 'base64' : from('1.9.2') ? 'cookies' : 'bearer',
		restores: from('1.13.3'),
		pauses: from('1.13.0'),
		notSync: from('1.12.0') ? 409 : 400,
		commitsHalf: !from('1.14.0'),
		iconType: from('1.13.1'),
		adminWithoutCsrf: from('1.11.0'),
		packages: from('1.18.0'),
		site: from('1.18.0'),
		strictDraft: from('1.20.0'),
	};
}

/** Negative where the first version is the older. Missing parts count as 0. */
export function compareVersions(a: string, b: string): number {
	const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
	for (const [index, part] of [...left, 0, 0].slice(0, 3).entries()) {
		if (part !== (right[index] ?? 0)) {
			return part - (right[index] ?? 0);
		}
	}
	return 0;
}
