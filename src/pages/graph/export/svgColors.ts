/** Fixed colors of an exported picture, which has no editor theme. */
export interface SvgColors {
	readonly paper: string;
	readonly card: string;
	readonly box: string;
	readonly line: string;
	readonly text: string;
	readonly dim: string;
	readonly failure: string;
	/** Colors of notes, by Dify's names. */
	readonly notes: Readonly<Record<string, string>>;
}

const notes = { blue: '#3b82f6', cyan: '#06b6d4', green: '#22c55e', yellow: '#ca8a04', pink: '#ec4899', violet: '#8b5cf6' } as const;

export const lightColors: SvgColors = {
	paper: '#ffffff',
	card: '#ffffff',
	box: '#f4f5f7',
	line: '#8b929c',
	text: '#1f2328',
	dim: '#59616b',
	failure: '#c4291c',
	notes,
};

export const darkColors: SvgColors = {
	paper: '#1f1f1f',
	card: '#2b2b2b',
	box: '#252526',
	line: '#8b929c',
	text: '#e4e4e4',
	dim: '#a7adb5',
	failure: '#f48771',
	notes,
};
