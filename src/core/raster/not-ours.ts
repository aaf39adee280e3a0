/** Thrown at the first thing in a drawing that we do not draw ourselves: another renderer then does all of it. */
export class NotOurs extends Error {}
