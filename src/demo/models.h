// The generated models, each in a source of its own.
#pragma once

#include "model/model.h"

namespace sinew {

// The straight arm of "Real Time Skin Deformation with Bones Blending" (Kavan and Zara 2003): a
// left arm stretched along +X, palm down, on a piece of the body, with some 1,500 vertices like the
// paper's model. Its elbow bends and twists as in figures 8 and 9.
Model makeArm();

// The same arm without its thumb in some 200 triangles, about as many as the paper's model has
// there (its 1:4 division of one arm adds 558): what subdivision is for.
Model makeCoarseArm();

// The straight arm with muscles as morph targets: biceps and triceps swell as the elbow bends, and
// the hand swells and points. For tests and as an example of shapes under every skinning method.
Model makeFlexingArm();

// The body-arm of "Fast Skeletal Animation by skinned Arc-Spline based Deformation" (Forstmann and
// Ohya 2006, figures 5 and 6): a body with one arm, 12,864 vertices as in the paper, coloured by
// what moves it: body red, arm green, elbow blue.
//
// Joints are laid for the paper's three straight splines: the body's from Body through Upper to
// Top; the arm's from Top (the body's upper control point) through Arm; the elbow's from the arm's
// end through Elbow towards Hand. Top itself moves no skin.
Model makeBodyArm();

// The body-arm skinned by the paper's own free splines, with painted weights and attachments as in
// figure 5: the arm's spline is attached to the body's upper end, the elbow's to the arm's end.
// Every control point is a node; bone weights over these nodes serve the methods without splines.
Model makeBodyArmSplines();

// A tube that is bent in its bind pose, along one free spline (Forstmann and Ohya 2006, figure 4):
// green before the middle of the spline and blue behind it, in bands of equal x, as halving space
// three times divides it. Its clips straighten it, bend it on and twist it.
Model makeCurvedTube();

// A stylised human figure, 1.70 m tall, in T-pose on y = 0, facing +Z, its left side towards +X:
// the model the program starts with. One smooth closed skin of a few thousand vertices, divided
// into meshes by clothing, and rigid eyes and brows on the head. Clips: idle, walk, wave.
Model makeHumanoid();

// A chain of 60 joints in a tapered tube, with rings and suckers as colours. A long chain is where
// errors add up and where a palette gets large.
Model makeTentacle();

} // namespace sinew
