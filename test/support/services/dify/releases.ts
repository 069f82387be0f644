/** Differences between Dify's releases that affect management. */
export interface Release {
	readonly version: string;
	/** Generation of `/openapi/v1`; `undefined` if it doesn't exist. */
	readonly openapi: OpenapiGeneration | undefined;
	/** File format version that it writes. */
	readonly dsl: string;
	/** Console sign-in: tokens in the response, cookies, or cookies and the password in base64. */
	readonly login: 'bearer' | 'cookies' | 'base64';
	/** True if the console restores versions. */
	readonly restores: boolean;
	/** True if there are human input nodes, which pause a run. */
	readonly pauses: boolean;
	/** HTTP status of `draft_workflow_not_sync`: 400 up to 1.11, 409 from the change of 2026-01-24 on. */
	readonly notSync: 400 | 409;
	/** True if a failed import keeps its partial changes, as the console did before it rolled them back. */
	readonly commitsHalf: boolean;
	/** True if files contain the type of an app's icon. */
	readonly iconType: boolean;
	/** True if `ADMIN_API_KEY` needs no CSRF token. */
	readonly adminWithoutCsrf: boolean;
	/** True if the console exports packages unless asked for YAML. */
	readonly packages: boolean;
	/** True if files contain the web app's settings, which an import changes immediately. */
	readonly site: boolean;
	/** True if a draft is saved with a patch of its environment variables, and unknown fields are refused. */
	readonly strictDraft: boolean;
}

export type OpenapiGeneration = '1.15' | '1.16' | '1.18';

/** Returns the properties of a release by its version, for example `1.13.3`. */
export function getRelease(version: string): Release {
	const isAtLeast = (release: string) => compareVersions(version, release) >= 0;
	return {
		version,
		openapi: isAtLeast('1.18.0') ? '1.18' : isAtLeast('1.16.0') ? '1.16' : isAtLeast('1.15.0') ? '1.15' : undefined,
		dsl: isAtLeast('1.16.0') ? '0.7.0' : isAtLeast('1.13.0') ? '0.6.0' : isAtLeast('1.10.0') ? '0.5.0' : '0.4.0',
		login: isAtLeast('1.11.2') ? 'base64' : isAtLeast('1.9.2') ? 'cookies' : 'bearer',
		restores: isAtLeast('1.13.3'),
		pauses: isAtLeast('1.13.0'),
		notSync: isAtLeast('1.12.0') ? 409 : 400,
		commitsHalf: !isAtLeast('1.14.0'),
		iconType: isAtLeast('1.13.1'),
		adminWithoutCsrf: isAtLeast('1.11.0'),
		packages: isAtLeast('1.18.0'),
		site: isAtLeast('1.18.0'),
		strictDraft: isAtLeast('1.20.0'),
	};
}

/** Returns a negative number if the first version is older. Missing parts count as 0. */
export function compareVersions(a: string, b: string): number {
	const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
	for (const [index, part] of [...left, 0, 0].slice(0, 3).entries()) {
		if (part !== (right[index] ?? 0)) {
			return part - (right[index] ?? 0);
		}
	}
	return 0;
}
