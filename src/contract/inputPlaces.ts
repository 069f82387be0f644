/** The place of a form's input in the text of that form: `{{#$output.NAME#}}`. The first group is the name of the input. */
export const inputPlacePattern = /\{\{#\$output\.([a-zA-Z_][a-zA-Z0-9_]*)#\}\}/g;
