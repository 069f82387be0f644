import type { AppOfDeployment } from './difyTypes.ts';

/** The apps that a command of the tree means: all that are selected where the one that it was called on is among them, else that one; none from the palette. */
export function appsNamed(argument: unknown, selected?: unknown): readonly AppOfDeployment[] {
	const others = Array.isArray(selected) && selected.includes(argument) ? selected : [argument];
	return others.filter(isApp);
}

function isApp(value: unknown): value is AppOfDeployment {
	return typeof value === 'object' && value !== null && 'connectionId' in value && 'app' in value;
}
